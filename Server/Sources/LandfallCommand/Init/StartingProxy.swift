// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore

/// The parts in front of a server: the proxy that has the certificate, and the names that lead to it.
struct StartingProxy {
    let app: StartingApp
    let certificate: String?
    let key: String?
    let addresses: [String]

    /// The hosts that Landfall answers; a web site's own hosts are not among them.
    var hosts: [String] {
        (app.api.map { [$0] } ?? []) + app.brand.filter { $0 != app.api }
    }

    /// An error for an option that cannot be used; nil if there is none.
    var wrong: String? {
        if let address = addresses.first(where: { (try? SocketAddress(ipAddress: $0, port: 0)) == nil }) {
            return "'\(address)' is not an IP address. Write --address with the machine's public address."
        }
        let places = [certificate, key].compactMap { $0 }
        if let place = places.first(where: { $0.contains { "\"\\\n\r;{}$".contains($0) } }) {
            return "'\(place)' cannot be written into nginx.conf. Use a path without quotes, '$', ';' and braces."
        }
        return nil
    }

    /// For `http { … }` of nginx; the same form as Examples/SelfHost/nginx.conf, which is tested with a real nginx.
    var nginx: String {
        let place = "/etc/letsencrypt/live/\(hosts.first ?? "")"
        let names = hosts.joined(separator: " ")
        return """
            # Landfall behind nginx: put this into /etc/nginx/conf.d/landfall.conf, and start the server with
            # --trusted-proxies 127.0.0.1.

            upstream landfall {
                server 127.0.0.1:8080;
                keepalive 64;
            }

            server {
                listen 443 ssl http2;
                listen [::]:443 ssl http2;
                server_name \(names);
                ssl_certificate     "\(certificate ?? place + "/fullchain.pem")";
                ssl_certificate_key "\(key ?? place + "/privkey.pem")";

                client_max_body_size 8m;

                location / {
                    proxy_pass http://landfall;
                    proxy_http_version 1.1;
                    proxy_set_header Connection "";

                    # First opens are streams: each line leaves at once, and the longest silence is shorter than this.
                    proxy_buffering off;
                    proxy_read_timeout 60s;

                    # What the server believes is overwritten here, never added to, so that nothing of it comes from a caller.
                    proxy_set_header Host $host;
                    proxy_set_header X-Forwarded-For $remote_addr;
                    # Empty is not sent. Behind a network that says the country remove this line, and start with --country-header.
                    proxy_set_header CF-IPCountry "";
                }
            }

            # Names that are not yours get no certificate, and no answer.
            server {
                listen 443 ssl http2 default_server;
                listen [::]:443 ssl http2 default_server;
                ssl_reject_handshake on;
            }

            # People type addresses without https.
            server {
                listen 80;
                listen [::]:80;
                server_name \(names);
                return 301 https://$host$request_uri;
            }

            """
    }

    /// Lines of a zone file; without an address, an instruction.
    var dns: String {
        let isIPv6 = { (address: String) in address.contains(":") }
        let lines = hosts.flatMap { host in
            addresses.isEmpty
                ? ["; \(host). needs an A record (and AAAA) with the address of the machine that runs the proxy"]
                : addresses.map { "\(host). 300 IN \(isIPv6($0) ? "AAAA" : "A") \($0)" }
        }
        // Apple requests the file from each host, and a brand domain already serves it.
        let site = app.universal.map { host in
            "; \(host) stays where it is; serve there what \(app.brand.first.map { "https://\($0)" } ?? "") has at /.well-known/apple-app-site-association"
        }
        return (lines + (app.brand.isEmpty ? [] : site)).joined(separator: "\n") + "\n"
    }
}
