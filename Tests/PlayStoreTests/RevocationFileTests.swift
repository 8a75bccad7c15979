import Testing

@testable import PlayStore

struct RevocationFileTests {
    private func rows(_ text: String) throws(RevocationFileFault) -> [RevocationFile.Row] {
        try RevocationFile(Array(text.utf8)).rows
    }

    private func faults(_ text: String) -> [String] {
        do throws(RevocationFileFault) {
            _ = try rows(text)
            return []
        } catch {
            return error.places.map { "\($0.line) \($0.column?.rawValue ?? "-"): \($0.detail)" }
        }
    }

    @Test(arguments: [
        "Install ID", "installId", "INSTALLID", " install id ", "install_id", "\"Install ID\"", "Install-Id",
    ])
    func theColumnIsFoundByItsName(_ name: String) throws {
        #expect(try rows("\(name)\na\n").map(\.installID) == ["a"])
        #expect(try rows("App,\(name),More\nx,a,y\n").map(\.installID) == ["a"])
    }

    @Test(arguments: ["Date", "Revocation date", "revokedAt", "DATE REVOKED", "revoked_on"])
    func theDateIsFoundByItsName(_ name: String) throws {
        #expect(try rows("Install ID,\(name)\na,2026-07-31T10:00:00+02:00\n").map(\.date) == [1_785_484_800_000_000])
    }

    @Test func aDayCountsToItsLastMoment() throws {
        let rows = try rows("date,install id\n2026-07-31,a\n,b\n2026-07-31T00:00:00Z,c\n")
        #expect(rows.map(\.date) == [1_785_542_399_999_999, nil, 1_785_456_000_000_000])
        #expect(rows.map(\.installID) == ["a", "b", "c"])
        #expect(rows.map(\.line) == [2, 3, 4])
    }

    @Test func rowsRepeatAndKeepTheirOrder() throws {
        #expect(try rows("Install ID\r\na\r\nb\r\na").map(\.installID) == ["a", "b", "a"])
    }

    @Test func whatIsAroundTheTable() throws {
        #expect(try rows("\u{feff}Install ID\n\n  a \n\r\n\u{a0}b\u{2009}\n").map(\.installID) == ["a", "b"])
        #expect(try rows("Install ID").isEmpty)
        #expect(try rows("Install ID\n").isEmpty)
    }

    @Test func quotedFields() throws {
        let text = "Note,Install ID\n\"a, \"\"b\"\"\r\nc\",\"x\"\n,y\n"
        let rows = try rows(text)
        #expect(rows.map(\.installID) == ["x", "y"])
        #expect(rows.map(\.line) == [2, 4])
        #expect(rows.map(\.text) == ["\"a, \"\"b\"\"\r\nc\",\"x\"", ",y"])
        let records = try DelimitedText(Array(text.utf8)).records
        #expect(records[1].fields == ["a, \"b\"\r\nc", "x"])
        #expect(records[2].fields == ["", "y"])
    }

    @Test func aFileWithoutItsColumns() {
        #expect(faults("") == ["1 -: must name the columns"])
        #expect(faults("\n\n") == ["1 -: must name the columns"])
        #expect(faults("id\na\n") == ["1 installId: must be a column, named \"Install ID\""])
        #expect(
            faults("Install ID,install_id,date,Revoked At\na,a,,\n")
                == ["1 installId: must be one column", "1 date: must be one column"])
    }

    @Test func everyBadRowIsNamed() {
        let long = String(repeating: "x", count: 129)
        #expect(
            faults(
                "Install ID,Date\na,2026-02-30\n,\nb\nc,2026-01-01,x\n\(long),yesterday\nd\u{7f},\n\u{85}e,2026-01-01\nok,\n"
            )
                == [
                    "2 date: must be a date such as 2026-07-31, or an RFC 3339 date and time",
                    "3 installId: must be 1 to 128 bytes without control characters",
                    "4 -: must have 2 fields, as the first line has",
                    "5 -: must have 2 fields, as the first line has",
                    "6 installId: must be 1 to 128 bytes without control characters",
                    "6 date: must be a date such as 2026-07-31, or an RFC 3339 date and time",
                    "7 installId: must be 1 to 128 bytes without control characters",
                ])
    }

    @Test func noMoreThanAThousandPlacesAreNamed() {
        let text = "Install ID,x\n" + String(repeating: "a\n", count: 3_000)
        #expect(faults(text).count == 1_000)
    }

    @Test func whatIsNoTable() {
        #expect(faults("Install ID\na\n\"b\nc") == ["3 -: a quote is not closed"])
        #expect(faults("Install ID\n\"b\"c\n") == ["2 -: text follows a closing quote"])
        #expect(faults("Install ID\nb\"c\n") == ["2 -: a quote stands inside a field that is not quoted"])
        #expect(faults("Install ID\ra\r") == ["1 -: a carriage return stands alone"])
        #expect(faults("Install ID\n\0\n") == ["2 -: the text is not UTF-8, or holds U+0000"])
        // UTF-16, as some exports are.
        let wide: [UInt8] = [0xff, 0xfe] + "Install ID\n".utf8.flatMap { [$0, 0] }
        #expect(throws: RevocationFileFault.self) { try RevocationFile(wide) }
    }

    /// Whatever the bytes, the reader ends and either gives rows or says where it could not.
    @Test func anyBytesAtAll() {
        let alphabet: [UInt8] = [0x61, 0x2c, 0x22, 0x0d, 0x0a, 0x20, 0xc3, 0x00]
        var state: UInt64 = 7
        for _ in 0..<20_000 {
            var bytes = Array("Install ID,Date\n".utf8)
            for _ in 0..<12 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(alphabet[Int(state >> 61)])
            }
            do throws(RevocationFileFault) {
                for row in try RevocationFile(bytes).rows { #expect(!row.installID.isEmpty) }
            } catch {
                #expect(!error.places.isEmpty)
            }
        }
    }
}
