import Pallium
import TicketModels

// The example of the article about generated classes, word for word, like those in `ArticleExamples.swift`.

func generatedClassExample(_ registry: SchemaRegistry) throws -> String? {
    try SchemaDocuments.load(into: registry)
    let ticket = try Ticket(number: 7, registry: registry)
    ticket.title = "Crash"
    ticket.reason = .reopened
    let title = try ticket.value(forKey: Ticket.Keys.title)

    return title as? String
}
