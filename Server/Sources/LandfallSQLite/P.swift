import GRDB
enum PlaceholderSQLite {}
