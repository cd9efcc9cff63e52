// The only door into a shard: nothing lost, nothing after the end, one wake for however many.

import CEpoll
import Glibc
import Testing

@testable import HTTPServer

@Suite("Mailbox")
struct MailboxTests {
    @Test("Messages come out in their order, and only the first one writes the eventfd")
    func order() throws {
        let mailbox = try Mailbox()
        let targets = (0..<3).map { WakeTarget(mailbox: mailbox, slot: $0, serial: 1) }
        for target in targets { mailbox.post(.wake(target)) }
        var count: eventfd_t = 0
        #expect(eventfd_read(mailbox.descriptor, &count) == 0 && count == 1)
        mailbox.signal()
        var messages = ContiguousArray<Message>()
        mailbox.collect(into: &messages)
        let slots = messages.map { message in
            if case .wake(let target) = message { target.slot } else { Int32(-1) }
        }
        #expect(slots == [0, 1, 2])
    }

    @Test("A closed mailbox takes nothing and gives back what it held")
    func closed() throws {
        let mailbox = try Mailbox()
        let arrival = Arrival(
            descriptor: -1, address: .none, verdict: .welcome,
            listener: Listener(.unix(path: "/none"), descriptor: -1))
        mailbox.post(.accepted(arrival))
        #expect(mailbox.close().count == 1)
        #expect(!mailbox.post(.accepted(arrival)))
        #expect(mailbox.close().isEmpty)
    }

    @Test("Handles of several shards are woken with one message each, however often")
    func groupedWakes() throws {
        let mailboxes = [try Mailbox(), try Mailbox(), try Mailbox()]
        let handles = (0..<30).map { index in
            WakeHandle(
                WakeTarget(
                    mailbox: mailboxes[index % 3], slot: Int32(index), serial: 1))
        }
        WakeHandle.wake(handles + handles)
        WakeHandle.wake(handles)
        handles[0].wake()
        for mailbox in mailboxes {
            var count: eventfd_t = 0
            #expect(eventfd_read(mailbox.descriptor, &count) == 0 && count == 1)
            var messages = ContiguousArray<Message>()
            mailbox.signal()
            mailbox.collect(into: &messages)
            #expect(messages.count == 10)
        }
    }
}
