import Consent
import TestSupport
import Testing

@testable import Postgres
@testable import Store

/// What the planner makes of the statements in a session like the store's: by an index, however a table has grown since
/// the plan was made, and never over more than is asked for.
@Suite(.timeLimit(.minutes(5))) struct PlanTests {
    /// A session with the store's settings in which statements are prepared by name.
    private struct Session {
        let connection: Connection

        init(_ settings: ConnectionSettings) throws {
            var settings = settings
            settings.indexPlansOnly = true
            settings.statementTimeout = .seconds(60)
            settings.flightTimeout = .seconds(60)
            connection = try Connection(settings)
        }

        private static let plan = Statement("plan_test", "select test_plan($1)", parameterTypes: [.text])

        func prepare(_ statement: Statement) throws {
            let types = statement.parameterTypes.map(Self.name).joined(separator: ", ")
            try connection.execute(
                "prepare \(statement.key)_\(types.isEmpty ? "" : "(\(types))") as \(statement.sql)")
        }

        /// The plan as one text; `arguments` are SQL, nulls by default.
        func explain(_ statement: Statement, _ arguments: [String]? = nil, options: String = "costs off") throws
            -> String
        {
            let values = arguments ?? statement.parameterTypes.map { _ in "null" }
            let call = values.isEmpty ? "" : "(\(values.joined(separator: ", ")))"
            var text = Parameters()
            text.append(text: "explain (\(options)) execute \(statement.key)_\(call)")
            return try connection.run(Self.plan, text).map { try $0.text(0) }.joined(separator: "\n")
        }

        private static func name(_ type: PostgresType) -> String {
            switch type {
            case .bool: "bool"
            case .bytea: "bytea"
            case .int2: "int2"
            case .int4: "int4"
            case .int8: "int8"
            case .text: "text"
            case .json: "json"
            case .uuid: "uuid"
            case .timestamptz: "timestamptz"
            case .boolArray: "bool[]"
            case .byteaArray: "bytea[]"
            case .int2Array: "int2[]"
            case .int4Array: "int4[]"
            case .int8Array: "int8[]"
            case .textArray: "text[]"
            case .uuidArray: "uuid[]"
            case .timestamptzArray: "timestamptz[]"
            case .jsonArray: "json[]"
            case .jsonb: "jsonb"
            case .xid8: "xid8"
            }
        }
    }

    /// EXPLAIN cannot be sent with its text as a value; this can.
    private static let planFunction = """
        create function test_plan(sql text) returns setof text language plpgsql as
        $$ declare line text; begin for line in execute sql loop return next line; end loop; end $$
        """

    /// Every statement that a request runs, and the sweeper's and retention's.
    private static let statements: [Statement] =
        [
            PersonTable.lock, PersonTable.byID, PersonTable.update, PersonTable.discard, GuardianLinkTable.ofBatch,
            GuardianLinkTable.ofPerson, GuardianLinkTable.delete, QuestionTable.byID, QuestionTable.standing,
            QuestionTable.standingOnChanges,
            QuestionTable.pendingOfPersons, QuestionTable.openOfPersons, QuestionTable.update, QuestionTable.answered,
            AnswerTable.latestOfPersons, AppTable.andMoment,
            AnswerTable.latestOfOpen, AnswerTable.ofQuestions, AnswerTable.ofQuestion, AnswerTable.void,
            RescissionTable.ofPersons,
            RescissionTable.put, AcknowledgmentTable.ofPairs, AcknowledgmentTable.ofPerson,
            IdempotencyTable.ofPairs, IdempotencyTable.forget, IdempotencyTable.countOld, AppTable.oldestKept,
            AppTable.heads, QuestionTable.old, QuestionTable.untold,
            QuestionTable.prune, AnswerTable.prune, EventTable.old, EventTable.prune, EventTable.advance,
            EventTable.pruned,
            PersonGroupTable.countEmpty, PersonGroupTable.pruneEmpty, ChangeProgressTable.pruneEmpty,
            IdempotencyTable.landed,
            ChangeTable.share, ChangeTable.shareAll, ChangeTable.lock, ChangeTable.byID, ChangeTable.page,
            ChangeTable.withdraw,
            ChangeTable.closeWithdrawal, ChangeTable.openWithdrawals,
            ChangeProgressTable.ofChange, ChangeProgressTable.add, PersonGroupTable.add, PersonGroupTable.total,
            PersonGroupTable.ofApp,
            AgeRatingTable.lock, AgeRatingTable.changeIDs,
            AgeRatingTable.page, AgeRatingTable.byScope, AgeRatingTable.steps, AgeRatingTable.update,
            KeyTable.credential,
            KeyTable.ofApp, KeyTable.lock, StreamTicketTable.lock, StreamTicketTable.use, StreamTicketTable.countOld,
            StreamTicketTable.prune, QuestionQueries.byID, QuestionQueries.pending,
            QuestionQueries.pendingInScope,
            QuestionQueries.all, QuestionQueries.allInScope, QuestionQueries.countsInScope, QuestionQueries.overdue,
            QuestionQueries.pendingAbout, QuestionQueries.dueReminders, QuestionTable.remind,
            QuestionQueries.expirations,
            EventTable.page, EventTable.pageOfQuestion, EventTable.pageOfPerson,
            EventTable.pageOfRef, EventTable.pageOfGuardian, GuardianLinkTable.standing, PersonTable.byRef,
            EventTable.landed, EventTable.append,
            AccessQueries.changes, AccessQueries.persons, AnswerTable.lastApprovals,
            StoreAccountTable.ensure,
            StoreAccountTable.lock, StoreAccountTable.persons, StoreAccountTable.ofPersons, StoreAccountTable.put,
            StoreAccountTable.discard, StoreNotificationTable.lock, StoreNotificationTable.put,
            StoreNotificationTable.settle, StoreNotificationTable.adopt, StoreNotificationTable.prune,
            StoreNotificationTable.countOld,
            StoreNotificationTable.byID, StoreNotificationTable.all, StoreNotificationTable.ofType,
            StoreNotificationTable.ofStatus, StoreNotificationTable.ofEnvironment, StoreNotificationTable.ofPerson,
            WebhookEndpointTable.ofApp, WebhookEndpointTable.byID, WebhookEndpointTable.lock,
            WebhookEndpointTable.count, WebhookEndpointTable.lockPositions, WebhookEndpointTable.update,
            WebhookEndpointTable.delete, WebhookEndpointTable.deletePosition, WebhookEndpointTable.start,
            WebhookEndpointTable.rewind, WebhookEndpointTable.places, WebhookDeliveryTable.page,
            WebhookDeliveryTable.byID, WebhookDeliveryTable.next, WebhookDeliveryTable.fanOut,
            WebhookDeliveryTable.claim, WebhookDeliveryTable.lockLeased, WebhookDeliveryTable.ofEvents,
            WebhookDeliveryTable.send, WebhookDeliveryTable.settle, WebhookDeliveryTable.countOld,
            WebhookDeliveryTable.prune, WebhookDeliveryTable.pruneEvents,
        ] + Erasure.all

    /// 100,000 persons with a question each, nearly all overdue, one with 2,000 more about a change, their events, answers and keys; by SQL alone.
    private static let growth = """
        insert into person (app_id, id, ref, age_kind, duties_kind, ever_linked, revision, created_at, updated_at)
        select 'reader', 'p-' || n, uuid_in(md5('p' || n)::cstring), 'notTold', 'notTold', false, 1, now(), now()
        from generate_series(1, 100000) n;
        insert into question (app_id, id, person_ref, subject, topic, topic_value, reusable, description, quorum,
            expiration, created_at, updated_at, revision, state, ever_approved)
        select 'reader', uuid_in(md5('q' || n)::cstring), uuid_in(md5('p' || n)::cstring),
            substring(sha256('s') for 16), 'custom', 's', true, 'x', 1,
            case when n <= 100 then now() + interval '1 hour' else now() - interval '1 hour' end + n * interval '1 ms',
            now() - interval '2 hours', now() - interval '2 hours', 1, 'pending', false
        from generate_series(1, 100000) n;
        insert into question (app_id, id, person_ref, subject, topic, topic_value, reusable, description, quorum,
            expiration, created_at, updated_at, revision, state, ever_approved, resolved_by, resolved_at)
        select 'reader', uuid_in(md5('r' || n)::cstring), uuid_in(md5('p50000')::cstring),
            substring(sha256(convert_to('change' || chr(31) || 'c-1', 'UTF8')) for 16), 'significantAppUpdate', 'c-1',
            true, 'x', 1, now(), now() - interval '1 hour', now(), 2, 'cancelled', false, 'child', now()
        from generate_series(1, 2000) n;
        insert into answer (app_id, question_id, revision, guardian, answer, answered_at)
        select 'reader', uuid_in(md5('q' || n)::cstring), 2, 'g', 'approval', now() from generate_series(1, 20000) n;
        insert into event (app_id, seq, type, at, person_ref, question_id, revision)
        select 'reader', n + 1, 'question.created', now(), uuid_in(md5('p' || n)::cstring),
            uuid_in(md5('q' || n)::cstring), 1 from generate_series(1, 100000) n;
        update event_counter set seq = 100001;
        insert into idempotency (app_id, scope, key, fingerprint, status, resource, created_at)
        select 'reader', 's', 'k-' || n, sha256('f'), 200, 'n', now() from generate_series(1, 100000) n;
        insert into guardian_link (app_id, person_ref, guardian, created_at)
        select 'reader', uuid_in(md5('p' || n)::cstring), 'g-' || n, now() from generate_series(1, 20000) n;
        insert into acknowledgment (app_id, person_ref, change_id, acknowledged_at)
        select 'reader', uuid_in(md5('p' || n)::cstring), 'c', now() from generate_series(1, 20000) n;
        insert into rescission (app_id, person_ref, number, scope, source, effective_at, received_at, ended, voided, freezes)
        select 'reader', uuid_in(md5('p' || n)::cstring), 1, 'person', 'service', now(), now(), '{}', '{}', true
        from generate_series(1, 20000) n;
        insert into store_account (app_id, store, environment, digest, id, person_ref, registered_at)
        select 'reader', 'appStore', 'production', 
            sha256(convert_to('appStore' || chr(31) || 'production' || chr(31) || 'a-' || n, 'UTF8')), 'a-' || n,
            uuid_in(md5('p' || n)::cstring), now()
        from generate_series(1, 20000) n;
        insert into store_notification (app_id, id, store, identity, uuid, type, environment, received_at, status,
            rescinds, account, account_id, person_ref, payload_hash, payload)
        select 'reader', uuid_in(overlay(md5('n' || n) placing lpad(to_hex(n), 12, '0') from 1)::cstring), 'appStore',
            sha256(convert_to('u-' || n, 'UTF8')), 'u-' || n,
            case when n % 100 = 0 then 'RESCIND_CONSENT' else 'DID_RENEW' end,
            case when n % 1000 = 7 then 'sandbox' else 'production' end, now(),
            case when n % 1000 = 0 then 'unattributed' when n % 100 = 0 then 'applied' else 'recorded' end,
            n % 100 = 0, 
            sha256(convert_to('appStore' || chr(31) || 'production' || chr(31) || 'a-' || n, 'UTF8')), 'a-' || n,
            case when n % 1000 <> 0 then uuid_in(md5('p' || n)::cstring) end, sha256('x'), 'x'
        from generate_series(1, 50000) n;
        insert into webhook_endpoint (app_id, id, url, types, description, status, secrets, secret_ends, revision,
            created_at, updated_at)
        select 'reader', uuid_in(md5('w' || n)::cstring), 'https://a.example/', '{question.*}', '', 'enabled', '{x}',
            '{null}', 1, now(), now() from generate_series(1, 20) n;
        insert into webhook_position (app_id, endpoint_id, seq)
        select 'reader', uuid_in(md5('w' || n)::cstring), 100001 from generate_series(1, 20) n;
        insert into webhook_delivery (app_id, id, endpoint_id, seq, status, attempts, tries, due_at, created_at, finished_at)
        select 'reader', uuid_in(overlay(md5('d' || n) placing lpad(to_hex(n), 12, '0') from 1)::cstring),
            uuid_in(md5('w' || 1 + n % 20)::cstring), n, case when n % 2 = 0 then 'delivered' else 'pending' end, 1, 1,
            case when n % 2 = 1 then now() + (n - 99000) * interval '1 s' end, now(),
            case when n % 2 = 0 then now() end
        from generate_series(1, 100000) n;
        insert into webhook_attempt (app_id, delivery_id, number, started_at, milliseconds, status)
        select 'reader', uuid_in(overlay(md5('d' || n) placing lpad(to_hex(n), 12, '0') from 1)::cstring), 1, now(), 1,
            200 from generate_series(1, 100000) n;
        insert into change (app_id, id, version, languages, descriptions, revision, created_at, updated_at)
        select 'reader', 'c-' || n, '2.0', '{en}', '{x}', 1, now(), now() from generate_series(1, 20) n;
        insert into api_key (id, app_id, role, label, secret_hash, created_at)
        select uuid_in(md5('k' || n)::cstring), 'reader', 'service', '', sha256('k'), now()
        from generate_series(1, 1000) n;
        insert into stream_ticket (app_id, hash, key_id, expires_at)
        select 'reader', sha256(convert_to('t-' || n, 'UTF8')), uuid_in(md5('k')::cstring), now() from generate_series(1, 20000) n;
        """

    @Test func everyPlanKeepsToIndexes() async throws {
        try await TestStore.with("plans") { test in
            let tables = try test.texts("select tablename from pg_tables where schemaname = 'public'")
            for table in tables { try test.execute("alter table \(table) set (autovacuum_enabled = false)") }
            try test.execute(Self.planFunction)
            let old = try Session(test.settings)
            for statement in Self.statements {
                try old.prepare(statement)
                // Planned while everything is empty and has never been analyzed.
                expectIndexed(statement, try old.explain(statement))
            }
            try test.execute(Self.growth)
            let new = try Session(test.settings)
            for statement in Self.statements {
                expectIndexed(statement, try old.explain(statement))
            }
            // As the pools do while a session is young.
            try old.connection.execute("discard plans")
            for statement in Self.statements {
                expectIndexed(statement, try old.explain(statement))
                try new.prepare(statement)
                expectIndexed(statement, try new.explain(statement))
            }
            try expectFewBuffers(old)
            try expectFewBuffers(new)
            for session in [old, new] { session.connection.close() }
        }
    }

    private func expectIndexed(_ statement: Statement, _ plan: String) {
        let tables = [
            "question", "answer", "event", "person", "guardian_link", "idempotency", "acknowledgment", "change",
            "api_key", "event_counter", "rescission", "change_progress", "person_group", "store_account",
            "store_notification", "webhook_endpoint", "webhook_position", "webhook_delivery", "webhook_attempt",
            "stream_ticket",
        ]
        for table in tables {
            #expect(!plan.contains("Seq Scan on \(table) "), "\(statement.key):\n\(plan)")
        }
        #expect(!plan.contains("Hash Join") && !plan.contains("Merge Join"), "\(statement.key):\n\(plan)")
    }

    /// Pages that a plan touches when it is run on the grown tables.
    private func expectFewBuffers(_ session: Session) throws {
        let zero = "'00000000-0000-0000-0000-000000000000'"
        let account = ["'reader'", "'{appStore}'", "'{production}'", "'{a-7}'"]
        let nobody = ["'reader'", "'{}'", "'{}'", "'{}'"]
        let waiting = "uuid_in(overlay(md5('n1000') placing '0000000003e8' from 1)::cstring)"
        func digest(_ id: String) -> String {
            "sha256(convert_to('appStore' || chr(31) || 'production' || chr(31) || '\(id)', 'UTF8'))"
        }
        let list = ["'reader'", zero]
        let filters = ["'reader'", "null", "null", "null", zero]
        let cases: [(Statement, [String], Int)] = [
            (QuestionQueries.pending, filters + ["'-infinity'", zero, "51"], 200),
            (QuestionQueries.pending, filters + ["now()", zero, "51"], 200),
            (QuestionQueries.all, filters + ["null", zero, "51"], 200),
            (QuestionQueries.pendingInScope, filters + ["'-infinity'", zero, "51", "'p-7'", "null"], 60),
            (QuestionQueries.allInScope, filters + ["null", zero, "51", "null", "'g-7'"], 60),
            (QuestionQueries.overdue, ["'reader'", "100", "'-infinity'", zero], 300),
            (QuestionQueries.pendingAbout, ["'reader'", "100", "'-infinity'", zero, "'c'"], 300),
            (QuestionQueries.expirations, [], 60),
            (QuestionTable.byID, ["'reader'", "array[md5('q7')::uuid]"], 30),
            (QuestionTable.standing, ["'reader'", "'{p-7}'", "'{s}'", "'{null}'", "'{0}'"], 60),
            (QuestionTable.pendingOfPersons, ["'reader'", "'{p-7}'"], 60),
            (QuestionTable.openOfPersons, ["'reader'", "'{p-7}'"], 60),
            (AnswerTable.latestOfOpen, ["'reader'", "'{p-7}'"], 80),
            (RescissionTable.ofPersons, ["'reader'", "'{p-7}'"], 60),
            (PersonTable.lock, ["'reader'", "'{p-7}'", "array[md5('q8')::uuid]", "'{null}'"], 80),
            (GuardianLinkTable.ofBatch, ["'reader'", "'{p-7}'", "array[md5('q8')::uuid]"], 80),
            (QuestionTable.answered, ["'reader'", "array[md5('q7')::uuid]"], 60),
            (AnswerTable.ofQuestions, ["'reader'", "array[md5('q7')::uuid]"], 60),
            (AnswerTable.latestOfPersons, ["'reader'", "'{p-7}'"], 80),
            (IdempotencyTable.ofPairs, ["'reader'", "'{s}'", "'{k-7}'"], 30),
            (AppTable.oldestKept, [], 160),
            (IdempotencyTable.countOld, ["'reader'", "0", "500"], 60),
            // The log is walked from its lowest number, however long it is and however old all of it.
            (EventTable.old, ["'reader'", "0", "500"], 60),
            (EventTable.old, ["'reader'", "86400", "500"], 60),
            (EventTable.prune, ["'reader'", "20"], 400),
            (EventTable.advance, ["'reader'", "20"], 60),
            (EventTable.pruned, ["'reader'"], 20),
            (QuestionTable.old, ["'reader'", zero, "100", "0"], 900),
            (QuestionTable.untold, ["'reader'", "array[md5('q7')::uuid]"], 60),
            (QuestionTable.prune, ["'reader'", "array[md5('nobody')::uuid]"], 30),
            (AnswerTable.prune, ["'reader'", "array[md5('nobody')::uuid]"], 30),
            (EventTable.page, ["'reader'", "50000", "50", "null"], 600),
            (EventTable.pageOfPerson, ["'reader'", "0", "50", "null", "'p-7'"], 80),
            (EventTable.pageOfQuestion, ["'reader'", "0", "50", "'{question.created}'", "md5('q7')::uuid"], 80),
            (AppTable.heads, ["'{reader}'"], 30),
            (AcknowledgmentTable.ofPairs, ["'reader'", "'{p-7}'", "'{c}'"], 60),
            // 20 changes: a few pages for each look-up, and no more where there are thousands of questions (p-50000).
            (AccessQueries.changes, ["'reader'"], 10),
            (AccessQueries.persons, ["'reader'", "'{p-50000,nobody}'"], 120),
            (AccessQueries.persons, ["'reader'", "'{p-8,p-9}'"], 240),
            (ChangeTable.shareAll, ["'reader'", "'{c-1}'", "'{}'"], 60),
            (QuestionTable.standingOnChanges, ["'reader'", "'{p-50000,nobody}'"], 120),
            (KeyTable.credential, ["md5('k7')::uuid"], 20),
            (StreamTicketTable.lock, ["'reader'", "array[sha256('t-7')]"], 30),
            (StreamTicketTable.use, ["'reader'", "array[sha256('t-8')]"], 30),
            (StreamTicketTable.countOld, ["'reader'", "500"], 120),
            (StreamTicketTable.prune, ["'reader'", "now()", "20"], 200),
            (
                QuestionTable.update,
                [
                    "'reader'", "array[md5('q7')::uuid]", "'{2}'", "'{approved}'", "'{t}'", "'{guardian}'", "'{g}'",
                    "array[now()]", "'{x}'", "'{null}'", "array[now()]",
                ], 100
            ),
            (AnswerTable.void, ["'reader'", "now()", "array[md5('q7')::uuid]", "'{2}'"], 60),
            (
                PersonTable.update,
                [
                    "'reader'", "'{p-7}'", "'{notTold}'", "'{null}'", "'{null}'", "'{null}'", "'{notTold}'", "'{null}'",
                    "'{null}'", "'{null}'", "'{null}'", "'{null}'", "'{t}'", "'{2}'", "array[now()]",
                    "'{null}'", "'{null}'",
                ], 100
            ),
            (PersonTable.discard, ["'reader'", "'{nobody}'"], 30),
            (GuardianLinkTable.delete, ["'reader'", "array[md5('p7')::uuid]", "'{g-7}'"], 60),
            (Erasure.questions, ["'reader'", "md5('p7')::uuid", "'s'", "now()"], 100),
            (Erasure.answers, ["'reader'", "md5('p7')::uuid", "'s'"], 100),
            (Erasure.events, ["'reader'", "md5('p7')::uuid", "'s'"], 60),
            (Erasure.links, ["'reader'", "md5('p7')::uuid"], 60),
            (Erasure.rescissions, ["'reader'", "md5('p7')::uuid"], 60),
            (IdempotencyTable.forget, ["'reader'", "now()", "20"], 400),
            (AnswerTable.lastApprovals, ["'reader'", "'{p-7}'"], 80),
            (StoreAccountTable.lock, account + ["'{}'", "'{}'"], 60),
            (StoreAccountTable.lock, nobody + ["array[\(waiting)]", "'{p-8}'"], 80),
            (StoreAccountTable.persons, account + ["'{}'", "'{}'"], 60),
            (StoreAccountTable.ofPersons, ["'reader'", "'{p-7}'"], 60),
            (
                StoreNotificationTable.lock,
                [
                    "'reader'", "'{appStore}'", "array[sha256('u-7')]", "'{}'", "array[\(digest("a-100"))]",
                ], 80
            ),
            (StoreNotificationTable.prune, ["'reader'", "'unattributed'", "now()", "20"], 600),
            (StoreNotificationTable.countOld, ["'reader'", "'unattributed'", "0", "20"], 60),
            (StoreNotificationTable.byID, ["'reader'", waiting], 30),
            (StoreNotificationTable.all, list + ["null", "null", "null", "51"], 400),
            (StoreNotificationTable.ofType, list + ["'RESCIND_CONSENT'", "null", "null", "51"], 400),
            (StoreNotificationTable.ofStatus, list + ["null", "'applied'", "null", "51"], 400),
            (StoreNotificationTable.ofEnvironment, list + ["null", "null", "'sandbox'", "51"], 400),
            (StoreNotificationTable.ofPerson, list + ["null", "null", "null", "51", "'p-7'"], 60),
            (Erasure.notices, ["'reader'", "md5('p7')::uuid", "'{}'"], 200),
            (Erasure.unneededAccounts, ["'reader'", "md5('p7')::uuid"], 80),
            (Erasure.storeAccounts, ["'reader'", "md5('p9')::uuid", "null"], 80),
            (WebhookDeliveryTable.next, [], 200),
            // Nearly all that waits is due; twenty are taken.
            (WebhookDeliveryTable.claim, ["'reader'", "20", "5", "60", "md5('l')::uuid", "false"], 2_500),
            (WebhookDeliveryTable.fanOut, ["'reader'", "100", "'{}'", "'{}'"], 100),
            (
                WebhookDeliveryTable.page,
                [
                    "'reader'", "md5('w1')::uuid", "'{pending,delivered,failed}'",
                    "'ffffffff-ffff-ffff-ffff-ffffffffffff'", "51",
                ], 900
            ),
            (WebhookDeliveryTable.byID, ["'reader'", "md5('w1')::uuid", zero], 30),
            (WebhookDeliveryTable.ofEvents, ["'reader'", "array[md5('w1')::uuid]", "'{20}'"], 30),
            (WebhookDeliveryTable.lockLeased, ["'reader'", "array[md5('d1')::uuid]", "array[md5('l')::uuid]"], 30),
            (WebhookDeliveryTable.countOld, ["'reader'", "0", "20"], 120),
            (WebhookDeliveryTable.prune, ["'reader'", "'00000000-ffff-7000-8000-000000000000'", "20"], 900),
            (WebhookDeliveryTable.pruneEvents, ["'reader'", "1"], 200),
            (WebhookEndpointTable.places, ["'reader'", "array[now() - interval '1 hour']"], 200),
        ]
        for (statement, arguments, limit) in cases {
            let options = "analyze, buffers, costs off, timing off, summary off"
            // Twice: the first run may have to set hint bits and to read the catalogs.
            _ = try session.explain(statement, arguments, options: options)
            let plan = try session.explain(statement, arguments, options: options)
            let touched = plan.split(separator: "\n").first { $0.contains("Buffers:") }.map(Self.buffers) ?? 0
            #expect(touched > 0 && touched <= limit, "\(statement.key) touches \(touched) pages:\n\(plan)")
            // Found by their ids; with a bare clock, which is volatile, every delivery would be looked at.
            guard statement.key == WebhookDeliveryTable.countOld.key else { continue }
            #expect(!plan.contains("Filter: "), "\(statement.key) looks at what is not old as well:\n\(plan)")
        }
    }

    /// `Buffers: shared hit=12 read=3 dirtied=1`, of the topmost node.
    private static func buffers(_ line: Substring) -> Int {
        line.split(separator: " ").reduce(0) { sum, word in
            guard word.hasPrefix("hit=") || word.hasPrefix("read=") else { return sum }
            return sum + (Int(word.drop { $0 != "=" }.dropFirst()) ?? 0)
        }
    }
}
