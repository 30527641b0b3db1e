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

    /// For `http { … }` of nginx: Examples/SelfHost/nginx.conf with these names, which is tested with a real nginx.
    var nginx: String {
        let place = "/etc/letsencrypt/live/\(hosts.first ?? "")"
        let names = hosts.joined(separator: " ")
        return """
            # Landfall behind nginx: put this into /etc/nginx/conf.d/landfall.conf, with your own names and certificates, and start the
            # server with --trusted-proxies 127.0.0.1. 'landfall init' writes this file for your names.

            upstream landfall {
                server 127.0.0.1:8080;
                # Connections to the server stay open. It closes its own after 60 seconds without a request: earlier here, so that no
                # request meets a connection that is being closed.
                keepalive 64;
                keepalive_timeout 30s;
            }

            # While the server restarts, it refuses connections. A refused request has not been read, so it is sent again, whatever its
            # method: four times within six seconds. A request that the server has begun to read is never sent again.
            map $upstream_connect_time $landfall_next {
                volatile;
                "~^([^:]*:){0,3}[^:]*-$" @landfall_wait;
                default                  @landfall_failed;
            }

            # Without the query, in which invitations have a secret, and without headers: Landfall-Profile, Authorization and Cookie have
            # secrets.
            log_format landfall '$remote_addr [$time_iso8601] $request_method $host $uri $status $body_bytes_sent $request_time';

            server {
                listen 443 ssl http2;
                listen [::]:443 ssl http2;
                server_name \(names);    # the API, and each of your brand domains
                ssl_certificate     "\(certificate ?? place + "/fullchain.pem")";
                ssl_certificate_key "\(key ?? place + "/privkey.pem")";
                access_log /var/log/nginx/landfall.log landfall;

                client_max_body_size 8m;

                proxy_http_version 1.1;
                proxy_set_header Connection "";

                # First opens are streams: each line leaves at once, and the longest silence is shorter than this.
                proxy_buffering off;
                proxy_read_timeout 60s;

                # What the server believes is overwritten here, never added to, so that nothing of it comes from a caller.
                proxy_set_header Host $host;
                proxy_set_header X-Forwarded-For $remote_addr;
                proxy_set_header X-Forwarded-Proto $scheme;
                # Empty is not sent. Behind a network that says the country remove this line, and start with --country-header.
                proxy_set_header CF-IPCountry "";

                recursive_error_pages on;
                location / {
                    error_page 502 = $landfall_next;
                    proxy_pass http://landfall;
                }
                location @landfall_again {
                    error_page 502 = $landfall_next;
                    proxy_pass http://landfall;
                }
                # nginx cannot wait, but it waits for an answer about a name: nobody answers there.
                location @landfall_wait {
                    error_log /dev/null crit;
                    error_page 502 = @landfall_again;
                    resolver 127.0.0.1:9 ipv6=off;
                    resolver_timeout 1500ms;
                    set $landfall_nobody landfall.invalid;
                    proxy_pass http://$landfall_nobody;
                }
                location @landfall_failed {
                    return 502;
                }
            }

            # Names that are not yours get no certificate, and no answer.
            server {
                listen 443 ssl http2 default_server;
                listen [::]:443 ssl http2 default_server;
                ssl_reject_handshake on;
            }

            # People type addresses without https. Certificates are renewed here (certbot --webroot -w /var/www/html).
            server {
                listen 80;
                listen [::]:80;
                server_name \(names);
                access_log /var/log/nginx/landfall.log landfall;
                location /.well-known/acme-challenge/ { root /var/www/html; }
                location / { return 301 https://$host$request_uri; }
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
