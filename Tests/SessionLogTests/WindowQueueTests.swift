// The queue behind every window: the same as an array, whatever its ring has been through.

import Testing

@testable import SessionLog

@Suite("Window queues")
struct WindowQueueTests {
    @Test("It holds what an array would, in any order of appending and taking out")
    func model() {
        var queue = WindowQueue<Int>()
        var model: [Int] = []
        var next = 0
        // Grows past several doublings, with the oldest element anywhere in the ring.
        let steps = [(5, 3), (14, 16), (40, 11), (7, 36), (200, 150), (0, 50), (3, 3)]
        for (appended, taken) in steps {
            for _ in 0..<appended {
                queue.append(next)
                model.append(next)
                next += 1
                #expect((0..<queue.count).map { queue[$0] } == model)
            }
            for _ in 0..<taken {
                #expect(queue.popOldest() == model.removeFirst())
                #expect(queue.oldest == model.first)
                #expect(queue.count == model.count && queue.isEmpty == model.isEmpty)
            }
        }
        #expect(queue.popOldest() == nil)
    }

    @Test("What is taken out is let go of at once")
    func release() {
        final class Element {}
        var queue = WindowQueue<Element>()
        weak var first: Element?
        for number in 0..<40 {
            let element = Element()
            if number == 0 { first = element }
            queue.append(element)
        }
        #expect(first != nil)
        queue.popOldest()
        #expect(first == nil)
    }
}
