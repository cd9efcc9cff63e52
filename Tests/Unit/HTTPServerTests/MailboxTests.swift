// The only way for messages into a shard: nothing lost, nothing after the end, one wake for however many.

import CEpoll
import Dispatch
import Glibc
import Synchronization
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

    @Test("Threads that post while a mailbox is closed write to no other file of its number")
    func racingClose() throws {
        for _ in 0..<200 {
            let mailbox = try Mailbox()
            let number = mailbox.descriptor
            let isOver = Atomic<Bool>(false)
            let begun = DispatchSemaphore(value: 0)
            let group = DispatchGroup()
            for poster in 0..<3 {
                DispatchQueue(label: "poster \(poster)").async(group: group) {
                    begun.signal()
                    while !isOver.load(ordering: .relaxed) { mailbox.signal() }
                }
            }
            for _ in 0..<3 { begun.wait() }
            mailbox.close()
            // The number is free at once or when the last thread that posts has written.
            var others: [Int32] = []
            while others.last != number, others.count < 64 {
                let other = eventfd(0, traitd_EFD_CLOEXEC | traitd_EFD_NONBLOCK)
                others.append(try #require(other >= 0 ? other : nil))
            }
            isOver.store(true, ordering: .relaxed)
            group.wait()
            for other in others {
                var count: eventfd_t = 0
                #expect(eventfd_read(other, &count) < 0 && errno == EAGAIN)
                close(other)
            }
        }
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
