//! Data: statements passed to database clients, and tools that recreate a database.

use crate::support::{all, all_with};

#[test]
fn dropping_is_asked_about() {
    all(
        "ask sql-drop",
        &[
            "psql -c 'DROP TABLE users'",
            "psql -U postgres -h db -c 'drop table users'",
            "psql --command='DROP SCHEMA public CASCADE' app",
            "psql -tAc 'drop database app'",
            "psql -c'DROP TABLE users'",
            "psql -c 'SELECT 1' -c 'DROP ROLE app'",
            "psql app -c 'SELECT 1; /* a ; b */ DROP\n TABLE users'",
            "psql app -c \"SELECT 'it''s'; DROP TABLE users\"",
            "psql app -c 'SELECT $$ a ; $$; DROP TABLE users'",
            "psql app -c 'DO $$ BEGIN DROP TABLE users; END $$'",
            "psql app -c 'ALTER TABLE users DROP COLUMN email'",
            "psql app -c 'ALTER TABLE users DROP email'",
            "psql app <<'EOF'\n-- away with it\nDROP TABLE users;\nEOF",
            "echo 'DROP TABLE users' | psql app",
            "psql app <<< 'drop index concurrently i'",
            "mysql -e 'DROP DATABASE app'",
            "mysql -uroot -psecret -e 'DROP DATABASE app'",
            "mysql -u root -pfoe -Ne 'DROP DATABASE app'",
            "mysql --execute='DROP TABLE users' app",
            "mysql app -e '/*!50000 DROP TABLE users */'",
            r#"mysql app -e "SELECT 'a\''; DROP TABLE users""#,
            r#"psql app -c "SELECT 'a\'; DROP TABLE users""#,
            r#"psql app -c "SELECT E'a\''; DROP TABLE users""#,
            "mariadb -D app -e 'SELECT 1; DROP VIEW v'",
            "sqlite3 app.db 'DROP TABLE users'",
            "sqlite3 -cmd '.mode csv' app.db 'drop table users'",
            "duckdb app.duckdb -c 'DROP TABLE t'",
            "clickhouse-client --query 'DROP TABLE t'",
            "clickhouse client -q 'ALTER TABLE t DROP PARTITION 1'",
            "sqlcmd -S s -Q 'IF EXISTS (SELECT 1) DROP TABLE t'",
            "cqlsh -e 'DROP KEYSPACE k'",
            "cockroach sql -e 'DROP DATABASE d'",
            "bq query 'DROP TABLE d.t'",
            "influx -execute 'DROP MEASUREMENT m'",
            "trino --execute 'DROP TABLE t'",
            "wrangler d1 execute db --remote --command 'DROP TABLE t'",
            "heroku pg:psql -a web -c 'DROP TABLE t'",
            "sudo -u postgres psql -c 'DROP DATABASE app'",
            "docker exec -it db psql -U postgres -c 'DROP TABLE users'",
            "docker compose exec -T mysql mysql -uroot -e 'DROP DATABASE app'",
            "echo 'DROP TABLE users' | docker exec -i db psql app",
            "kubectl -n shop exec -it db-0 -- psql -c 'DROP TABLE users'",
        ],
    );
}

#[test]
fn statements_about_every_row_are_asked_about() {
    all(
        "ask sql-all-rows",
        &[
            "psql -c 'TRUNCATE users'",
            "psql -c 'truncate table users cascade'",
            "psql -c 'DELETE FROM users'",
            "psql -c 'delete from only public.users;'",
            "psql -c 'DELETE FROM users WHERE true'",
            "psql -c 'DELETE FROM users WHERE 1=1'",
            "psql -c 'DELETE FROM users RETURNING *'",
            "psql -c 'UPDATE users SET active = false'",
            "psql -c 'UPDATE users SET n = (SELECT max(n) FROM others WHERE id = 1)'",
            "psql -c 'UPDATE users SET n = CASE WHEN a THEN 1 ELSE 2 END'",
            "psql -c 'WITH a AS (SELECT 1 WHERE true) DELETE FROM users'",
            "psql -c 'EXPLAIN ANALYZE DELETE FROM users'",
            "psql -c 'BEGIN; DELETE FROM users; COMMIT'",
            "psql -c \"DELETE FROM users -- WHERE id = 1\"",
            "mysql app -e 'DELETE FROM `users`'",
            "sqlite3 app.db 'DELETE FROM users;'",
            "sqlite3 app.db < <(echo 'UPDATE users SET a = 1')",
            "psql -c \"DELETE FROM $TABLE\"",
        ],
    );
}

#[test]
fn everyday_statements_pass() {
    all(
        "none",
        &[
            "psql -c 'SELECT 1'",
            "psql -l",
            "psql -f schema.sql",
            "psql app -c 'SELECT * FROM dropdown'",
            "psql app -c \"SELECT 'DROP TABLE users'\"",
            "psql app -c 'SELECT \"drop table\" FROM t'",
            "psql app -c '-- DROP TABLE users\nSELECT 1'",
            "psql app -c 'DELETE FROM users WHERE id = 1'",
            "psql app -c 'UPDATE users SET a = CASE WHEN b THEN 1 ELSE 2 END WHERE id = 1'",
            "psql app -c \"UPDATE users SET a = 'x;y' WHERE id = 1\"",
            "psql app -c 'WITH a AS (SELECT 1) DELETE FROM users USING a WHERE a.id = users.id'",
            "psql app -c 'EXPLAIN DELETE FROM users'",
            "psql app -c \"DELETE FROM users $CONDITION\"",
            "psql app -c 'ALTER TABLE users ADD COLUMN email text'",
            "psql app -c 'ALTER TABLE users DROP CONSTRAINT c'",
            "psql app -c 'ALTER TABLE users ALTER COLUMN email DROP NOT NULL'",
            "psql app -c 'CREATE FUNCTION f() RETURNS void AS $$ DELETE FROM t; $$ LANGUAGE sql'",
            "psql app -c 'INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1'",
            "psql app -c 'GRANT DELETE ON users TO app'",
            "psql -c 'CREATE DATABASE app'",
            "mysql -e 'SHOW TABLES'",
            r#"mysql app -e "UPDATE t SET a = 'it\'s; so' WHERE id = 1""#,
            "mysql app -e 'INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 1'",
            "mysql app < dump.sql",
            "sqlite3 app.db .schema",
            "sqlite3 app.db 'SELECT count(*) FROM users'",
            "sqlite3 :memory: 'CREATE TABLE t (a); DROP TABLE t'",
            "sqlite3 /tmp/test.db 'DROP TABLE t'",
            "docker exec -it db psql -U postgres -c 'SELECT 1'",
            "docker run --name mysql -e MYSQL_ROOT_PASSWORD=x mysql:8",
            "bq ls",
            "echo 'DROP TABLE users'",
            "grep -rn 'DROP TABLE' migrations",
        ],
    );
}

#[test]
fn emptying_other_stores_is_asked_about() {
    all(
        "ask mongo-drop",
        &[
            "mongosh --eval 'db.dropDatabase()'",
            "mongosh mongodb://localhost/app --eval 'db.users.drop()'",
            "mongosh app --quiet --eval 'db.users.deleteMany( {} )'",
            "mongo app --eval 'db.users.remove({})'",
            "echo 'db.dropDatabase()' | mongosh app",
            "docker exec db mongosh --eval 'db.dropDatabase()'",
        ],
    );
    all(
        "ask redis-flush",
        &[
            "redis-cli FLUSHALL",
            "redis-cli -h 10.0.0.1 -p 6380 -n 0 flushdb async",
            "redis-cli -u redis://h --pass x FlushAll",
            "redis-cli shutdown nosave",
            "redis-cli cluster reset hard",
            "redis-cli eval \"redis.call('flushall')\" 0",
            "echo flushall | redis-cli",
            "valkey-cli FLUSHDB",
            "docker compose exec redis redis-cli FLUSHALL",
        ],
    );
    all(
        "ask search-index-delete",
        &[
            "curl -X DELETE http://localhost:9200/logs-2024",
            "curl -XDELETE 'localhost:9200/_all'",
            "curl -sX DELETE 'https://u:p@search.opensearch.example/*'",
            "curl --request DELETE http://localhost:9200/_snapshot/backup/1",
            "curl -X DELETE http://localhost:7700/indexes/movies",
            "curl -X DELETE http://localhost:7700/indexes/movies/documents",
            "curl -X DELETE https://app-dsn.algolia.net/1/indexes/users",
            "curl -X POST 'localhost:9200/logs/_delete_by_query' -d '{}'",
            "wget --method=DELETE http://localhost:9200/logs",
            "http DELETE localhost:9200/logs",
            "algolia indices delete products",
        ],
    );
}

#[test]
fn dropping_by_a_tool_is_asked_about() {
    all(
        "ask database-drop",
        &[
            "dropdb app",
            "dropdb -h db -U postgres --if-exists app",
            "dropuser app",
            "pg_restore --clean -d app dump",
            "pg_restore -c -d app dump",
            "pg_dropcluster 16 main --stop",
            "mysqladmin -u root drop app",
            "mysqladmin --force drop app",
            "mongorestore --drop dump/",
            "bq rm -r -f d",
            "etcdctl del --prefix /",
            "influx bucket delete -n b",
            "nodetool decommission",
            "docker compose exec db dropdb app",
        ],
    );
    all(
        "ask database-reset",
        &[
            "bin/rails db:drop",
            "bundle exec rake db:drop db:create",
            "rails db:migrate:reset",
            "rails db:reset",
            "python manage.py flush --no-input",
            "python3 ./src/manage.py migrate app zero",
            "./manage.py reset_db",
            "uv run manage.py flush",
            "alembic downgrade base",
            "alembic -c a.ini downgrade base || python -m alembic downgrade base",
            "flask db downgrade base",
            "npx prisma migrate reset --force",
            "prisma db push --force-reset",
            "npx sequelize db:drop",
            "knex migrate:rollback --all",
            "npx typeorm schema:drop -d src/data.ts",
            "php artisan migrate:fresh --seed",
            "php -d memory_limit=1G artisan db:wipe",
            "php bin/console doctrine:database:drop --force",
            "mix ecto.reset",
            "mix do ecto.drop, ecto.create",
            "dotnet ef database drop -f",
            "flyway -url=jdbc:x clean",
            "liquibase --changelog-file=c drop-all",
            "migrate -path db -database \"$URL\" drop -f",
            "dbmate --url \"$URL\" drop",
            "diesel database reset",
            "sqlx database drop -y",
            "supabase db reset",
            "docker compose exec web python manage.py flush",
            "heroku run -a web rails db:drop",
        ],
    );
    all(
        "ask queue-delete",
        &[
            "kafka-topics --bootstrap-server b --delete --topic t",
            "kafka-consumer-groups.sh --bootstrap-server b --delete --group g",
            "kafka-delete-records --bootstrap-server b --offset-json-file o.json",
            "kafka-configs --alter --delete-config retention.ms --entity-type topics",
            "kafka-acls --remove --topic t",
            "rabbitmqctl -n rabbit delete_vhost /prod",
            "rabbitmqctl reset",
            "rabbitmqadmin -H h delete queue name=jobs",
            "nats stream purge ORDERS",
            "nats kv del CONFIG key",
            "nats account delete a",
        ],
    );
}

#[test]
fn everyday_work_with_data_passes() {
    all(
        "none",
        &[
            "mongosh --eval 'db.users.find()'",
            "mongosh --eval 'db.users.deleteMany({a: 1})'",
            "redis-cli GET flushall",
            "redis-cli ping",
            "redis-cli DEL key",
            "redis-cli -a shutdown INFO",
            "curl -X DELETE http://localhost:8000/items/1",
            "curl -X DELETE http://localhost:9200/logs/_doc/1",
            "curl -X DELETE http://localhost:7700/indexes/movies/documents/1",
            "curl http://localhost:9200/_cat/indices",
            "curl -X PUT http://localhost:9200/logs -d DELETE",
            "createdb app",
            "dropdb --help",
            "pg_dump app",
            "pg_restore --clean dump > dump.sql",
            "mysqladmin ping",
            "mongorestore dump/",
            "bq query 'SELECT 1'",
            "etcdctl get /",
            "rails db:migrate",
            "bin/rails db:setup",
            "rails test test/models/drop_test.rb",
            "rake -T db:drop",
            "python manage.py migrate",
            "python manage.py runserver",
            "python manage.py migrate app 0001",
            "alembic upgrade head",
            "alembic downgrade -1",
            "npx prisma migrate dev",
            "npx prisma generate",
            "npx sequelize db:migrate",
            "knex migrate:rollback",
            "php artisan migrate",
            "php artisan migrate:fresh --env=testing",
            "mix ecto.migrate",
            "dotnet ef database update",
            "flyway migrate",
            "migrate -path db -database \"$URL\" up",
            "migrate -path db -database \"$URL\" down 1",
            "kafka-topics --list --bootstrap-server b",
            "rabbitmqctl list_queues",
            "nats stream ls",
        ],
    );
}

#[test]
fn the_pack_can_be_switched_off() {
    all_with(
        r#"{"packs": {"database": "off"}}"#,
        "none",
        &["dropdb app", "psql -c 'DROP TABLE t'", "docker exec db dropdb app"],
    );
    all_with(r#"{"off": ["sql-drop"]}"#, "none", &["psql -c 'DROP TABLE t'"]);
    all_with(r#"{"deny": ["sql-drop"]}"#, "deny sql-drop", &["psql -c 'DROP TABLE t'"]);
}

#[test]
fn backups_are_not_deleted_unasked() {
    all(
        "ask backup-delete",
        &[
            "borg delete repo::archive",
            "borg -r ssh://host/repo prune --keep-daily 7",
            "borg rdelete",
            "restic forget --keep-last 1 --prune",
            "restic -r /srv/backup --password-file p forget abc",
            "restic prune",
            "duplicity remove-older-than 30D --force file:///b",
            "wal-g delete everything FORCE",
        ],
    );
    all(
        "none",
        &[
            "borg create repo::now src",
            "borg list repo",
            "borg prune --dry-run --keep-daily 7",
            "borg delete --cache-only",
            "restic snapshots",
            "restic forget --keep-last 1 -n",
            "kopia snapshot list",
        ],
    );
}

#[test]
fn a_server_elsewhere_is_not_asked_to_delete_unasked() {
    all(
        "ask api-delete",
        &[
            "curl -X DELETE https://api.example.com/v1/users/7",
            "curl -sXDELETE -H 'Authorization: x' https://api.example.com/v1/users/7",
            "curl https://u:p@api.example.com/v1/users/7 --request DELETE",
            "http DELETE https://api.example.com/v1/users/7",
            "wget --method=DELETE https://api.example.com/v1/users/7",
        ],
    );
    all(
        "none",
        &[
            "curl -X DELETE http://localhost:3000/users/7",
            "curl -X DELETE http://127.0.0.1:8080/users/7",
            "curl -X DELETE http://[::1]:8080/users/7",
            "curl -X DELETE http://app.test/users/7",
            "curl https://api.example.com/DELETE",
            "curl -d 'DELETE' https://api.example.com/",
        ],
    );
}

#[test]
fn a_statement_is_found_wherever_a_client_reads_it() {
    all(
        "ask sql-drop",
        &[
            "psql app --comm='drop table users'",
            "psql app --comman 'drop table users'",
            "mysql app --exec='drop table users'",
            "psql app -f <(echo 'drop table users')",
            "psql app < <(echo 'drop table users')",
            "mysql app < <(printf 'drop table users')",
            "cat <<EOF | psql app\ndrop table users;\nEOF",
            "docker exec -i db psql app <<< 'drop table users'",
            "kubectl exec -i db-0 -- psql app <<EOF\ndrop table users;\nEOF",
            "mariadb app -e '/*M! drop table users */'",
            "mariadb app -e '/*M!100100 drop table users */'",
            "sqlite3 :memory: \"attach 'app.db' as a; drop table a.users\"",
            "sqlite3 /tmp/x.db \"ATTACH DATABASE '/srv/app.db' AS a; DROP TABLE a.users\"",
            "sqlite3 <<'EOF'\n.open app.db\ndrop table users;\nEOF",
        ],
    );
    all("none", &["sqlite3 :memory: 'drop table users'", "psql app --comm='select 1'"]);
}

#[test]
fn a_command_that_a_client_gives_to_a_shell_is_a_command() {
    all(
        "deny rm-root",
        &[
            "psql app -c '\\! rm -rf /'",
            "psql app <<'EOF'\nselect 1;\n\\! rm -rf /\nEOF",
            "psql app -c \"copy t to program 'rm -rf /'\"",
            "psql app -c \"\\copy t from program 'rm -rf /'\"",
            "psql app -c '\\o | rm -rf /'",
            "mysql app -e '\\! rm -rf /'",
            "mysql app -e 'system rm -rf /'",
            "sqlite3 app.db '.shell rm -rf /'",
            "sqlite3 app.db <<< '.system rm -rf /'",
        ],
    );
    all("none", &["psql app -c \"copy t to program 'gzip > t.gz'\"", "sqlite3 app.db '.tables'"]);
}

#[test]
fn backups_and_what_only_an_application_reaches_are_not_deleted_unasked() {
    all("ask backup-delete", &["borg break-lock repo", "restic unlock --remove-all"]);
    all(
        "ask database-reset",
        &[
            "gitlab-rails runner 'Project.destroy_all'",
            "rails runner User.delete_all",
            "gitlab-rake gitlab:backup:restore",
        ],
    );
    all(
        "ask api-delete",
        &[
            "curl -X POST https://jenkins.example/job/my-job/doDelete",
            "curl -X POST 'https://prometheus.example/api/v1/admin/tsdb/delete_series?match[]=up'",
            "curl -X DELETE http://localhost.evil.example/users/1",
        ],
    );
    all(
        "none",
        &["restic unlock", "rails runner 'puts User.count'", "curl https://jenkins.example/job/my-job/build"],
    );
}
