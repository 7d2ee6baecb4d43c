/**
 * The promises of the service, as data: one entry per behavior that is visible from outside the
 * process. A test cites the ids that it proves, in square brackets at the start of its name.
 * `source` is the section of docs/contract that makes the promise; its pages have each heading
 * once.
 */
export interface Requirement {
  readonly id: string;
  readonly source: string;
  /** The promise as one sentence. */
  readonly text: string;
}

const from = (
  section: string,
  texts: Readonly<Record<string, string>>,
): ReadonlyArray<Requirement> =>
  Object.entries(texts).map(([id, text]) => ({ id, source: `contract#${section}`, text }));

export const requirements: ReadonlyArray<Requirement> = [
  ...from("values", {
    "timestamp.input":
      "The service reads ISO 8601 with Z or an offset and stores UTC with milliseconds.",
    "timestamp.invalid": "The service rejects text that is not a timestamp.",
    "timestamp.add": "Adding seconds to a timestamp, positive or negative, gives a timestamp.",
  }),
  ...from("ids", {
    "ids.sortable": "Ids of one process sort in the order of creation, even within a millisecond.",
  }),
  ...from("directory", {
    "directory.path": "An id in a path that the host's directory does not know is a 404.",
    "directory.slow": "A slow directory does not delay the changes of other callers.",
    "directory.body":
      "An id in a body that the host's directory does not know is a 422 that names the field.",
    "agents.registered": "PUT, a heartbeat and an assignment register an agent; a read does not.",
  }),

  ...from("requests", {
    "body.malformed": "A body that is not a JSON object is a 400.",
    "body.utf8": "A body that is not valid UTF-8 is a 400.",
    "body.charset": "A charset other than UTF-8 is a 415.",
    "body.deep": "A body nested deeper than the limit is a 400.",
    "body.null":
      "Null means the same as an absent property, except where the contract says that it clears a field.",
    "contract.null": "Null is accepted for every optional property of a request.",
    "body.unknown": "An unknown property in a body is a 400 that names it.",
    "body.empty": "A POST that needs no body accepts none, or {}.",
    "body.pieces": "The service reads a body that arrives in pieces as one body.",
    "body.mounted": "Mounted routes read a body whose host declares no length.",
    "body.truncated": "A body that ends early changes nothing.",
    "body.too-large": "A JSON body beyond its limit is a 413, with and without Content-Length.",
    "request.head": "HEAD works wherever GET does and returns no body.",
    "request.path": "The service validates path values and rejects reserved project ids.",
    "request.query": "The service rejects invalid values of known query parameters by name.",
    "request.query.strict":
      "An unknown or repeated query parameter under /api/ is a 400 that names the closest one.",
    "body.containers": "A body has a limited number of arrays and objects.",
    "body.time": "No body takes much longer to check than a plain body of the same size.",
    "request.methods": "The service rejects methods it does not know and keeps running.",
    "request.version":
      "A request line with a version other than HTTP/1.x is a 505 and runs nothing.",
    "request.cache": "Responses of the API, downloads and refusals are not stored by caches.",
    "request.nosniff": "Every response forbids content sniffing.",
    "client.layer": "The typed client calls every kind of route.",
    "client.promise": "The typed client works without layers.",
    "core.root": "The root of core exports nothing that is internal.",
    "core.no-node": "Core imports no module of a JavaScript runtime.",
  }),
  ...from("order-of-checks", {
    "access.order": "The service checks authentication and role before it reads the body.",
    "body.order": "The service reports 415 before 413, and 413 before 400.",
    "comments.as-agent": "A call that acts for a run may comment in the name of the run's agent.",
    "comments.refusals": "For a comment the service reports 403, 400 and 404 in this order.",
    "links.refusals.order":
      "For a link the service reports 403, 400, 404, 422 and 409 in this order.",
  }),
  ...from("request-ids", {
    "request.id": "The service echoes a valid X-Request-Id and replaces any other.",
  }),
  ...from("conditional-requests", {
    "issues.if-match":
      "A version that is not current is refused, after 404 and before any other rule.",
    "if-match.routes":
      "If-Match accepts * or versions on PUT, DELETE, close, pause and resume of an issue.",
    "if-match.elsewhere": "Other routes ignore If-Match, and no response is a 304.",
  }),
  ...from("lists", {
    "page.cursor": "Pages stay consistent while issues are added.",
    "page.exact": "A last page that is full has no next link.",
    "page.refusals": "A limit outside 1 to 500, and the cursor of another query, are a 400.",
    "paging.link": "Following Link walks every list in both orders without a gap.",
    "paging.query": "The next link keeps the other query parameters.",
    "paging.cursor": "A cursor that was changed is a 400.",
    "paging.stable": "Rows added between two pages neither repeat nor hide a row.",
    "paging.public-url": "The next link is absolute where the public URL is configured.",
    "paging.bytes": "A page ends at 16 MiB, and its next link continues it.",
    "paging.in-flight":
      "Too many large responses in flight are a 503, and small requests do not wait for them.",
    "paging.in-flight.released":
      "A client that abandons a large response leaves room for other responses.",
  }),
  ...from("idempotency-keys", {
    "idempotency.once":
      "A repeated request returns the object of the first one in its current state.",
    "idempotency.replay":
      "Over HTTP a repeated request returns the first result and creates nothing.",
    "idempotency.others": "Links and comments support idempotency keys.",
    "idempotency.comments": "Comments support idempotency keys over HTTP.",
    "idempotency.links": "Links support idempotency keys over HTTP.",
    "idempotency.attachments": "The service compares repeated uploads by name, type and content.",
    "attachments.idempotent": "Repeating an upload with its key returns the first attachment.",
    "idempotency.restart": "A restart forgets no idempotency key.",
    "idempotency.concurrent":
      "Of concurrent requests with one key, one creates the object and all return it.",
    "idempotency.mismatch": "Another request with the same key is a 422.",
    "idempotency.per-key": "Two API keys do not share idempotency keys.",
    "idempotency.failed": "A refused request may be sent again with the same key.",
    "idempotency.refusals":
      "The service checks role and body before it looks up the idempotency key.",
    "idempotency.access": "Over HTTP the service checks the role before the idempotency key.",
    "idempotency.day": "After 24 hours an idempotency key is new again.",
    "idempotency.key": "An idempotency key has 1 to 128 characters.",
    "idempotency.refused": "On keys and sessions the header is a 400.",
    "idempotency.rotation": "A new master key forgets nothing while the old one is configured.",
    "idempotency.secret-free": "The service stores only an HMAC of a request.",
  }),

  ...from("problems", {
    "errors.message": "Every error of the library has a message with the next step.",
    "errors.print": "console.log prints an error's stack, message and fields.",
    "input.sentences":
      "An InvalidRequest describes the expected form of each invalid value in a sentence.",
    "problem.invalid-request": "A 400 lists every invalid value with its path.",
    "problem.detail-value":
      "The detail of a 400 names the first invalid value and what it should be.",
    "problem.confirmation-required":
      "A deletion without confirm=true is a 400, and the issue still exists.",
    "problem.unauthenticated":
      "Missing, wrong and revoked credentials get the same 401 with WWW-Authenticate: Bearer.",
    "problem.forbidden":
      "A 403 names the required role, or null where another kind of key is needed.",
    "problem.not-found": "A 404 has the id of an unknown resource, and null for an unknown path.",
    "problem.method-not-allowed": "Another method on a known path is a 405 with Allow.",
    "problem.open-dependents": "Open dependents make a close a 409, and nothing changes.",
    "problem.blocked": "A status that open blockers forbid is a 409 that names them.",
    "problem.dependency-cycle": "A cycle is a 409 that lists it from the issue to itself.",
    "problem.link-exists": "A relation that exists is a 409 that names its link.",
    "problem.external-ref-taken": "An external reference in use is a 409 that names its issue.",
    "problem.not-executing": "A pause of an issue that is not executing is a 409 with its status.",
    "problem.not-paused": "A resume of an issue that is not paused is a 409 with its status.",
    "problem.run-ended": "A turn or finish of a run that holds no issue is a 409 with the reason.",
    "problem.last-owner-key": "Deleting the last Owner key is a 409, and the key stays.",
    "problem.precondition-failed": "A version that is not current is a 412 with the current one.",
    "problem.payload-too-large": "Too many bytes are a 413 with the limit.",
    "problem.unsupported-media-type": "A media type that is missing or not accepted is a 415.",
    "problem.unknown-reference": "A body that names an unknown object is a 422 with the field.",
    "problem.self-link": "A link of an issue to itself is a 422.",
    "problem.limit-exceeded": "An item beyond a limit is a 422 with the limit.",
    "problem.internal": "A defect is a 500, and only the log has its cause, under the request id.",
    "problem.everywhere": "Every response of 400 or above is a problem.",
    "problem.unavailable":
      "A storage failure is a 503 with Retry-After and leaves no partial change.",
    "problem.ids-100": "A problem lists at most 100 ids.",
  }),

  ...from("issues", {
    "issues.list.200": "The list of a project's issues is an array.",
    "issues.create.201": "A creation returns 201 with the issue, its URL and its version.",
    "issues.get.200": "An issue is read by its id without its project's id.",
    "issues.update.200": "An update returns the issue in its new state.",
    "issues.204": "Close, pause, resume and delete return 204 without a body.",
    "issues.roles": "A Viewer can read issues and cannot write.",
    "issues.readiness.200":
      "The readiness route returns whether an issue is ready, and the reasons if it is not.",
    "issues.activity.200": "The timeline lists each change with its kind, actor and data.",
  }),
  ...from("plans", {
    "plan.created": "A plan creates its issues in order, each waiting for its blockers.",
    "plan.refs": "Refs are unique, and every blocker is a ref of the plan or an id.",
    "plan.cycle": "A cycle in a plan is refused with its refs.",
    "plan.atomic": "A plan that is refused creates nothing.",
    "plan.limit": "A plan creates no more links than an issue may have.",
    "plan.idempotent": "The same plan with the same key creates its issues once.",
    "plan.http": "POST of a plan takes 8 MiB and returns its issues in order.",
  }),
  ...from("graphs", {
    "graph.issue": "An issue's graph has its transitive blockers and dependents, and their edges.",
    "graph.depth":
      "A graph follows up to 1 to 50 links, and reports whether there are more issues.",
    "graph.project": "A project's graph has its issues, and visible ones of other projects.",
    "graph.limit": "A graph has up to 500 issues, open issues first.",
    "graph.http": "GET returns the graph of an issue and of a project.",
  }),
  ...from("keys", {
    "keys.issue": "An issue has the prefix of its project and a number, which is never used again.",
    "keys.text": "A key is a prefix and a number without leading zeros.",
    "keys.hidden": "A key of an issue that the caller may not see is refused like an unknown one.",
    "keys.links": "Links by key are the links by id: they exist once, and close no circle.",
    "keys.plan": "Blockers of a plan are named by ref, key or id, and a ref wins over a key.",
    "keys.renamed": "Earlier keys continue to work, and a prefix belongs to its project forever.",
    "keys.prefix":
      "A prefix is made from the id, with digits where it is taken, or tells nothing for bound callers.",
    "keys.http": "Every route that takes the id of an issue takes its key, in any letter case.",
    "keys.migrated": "A migration numbers the issues of each project in the order of creation.",
    "keys.nodes":
      "Nodes that create issues in one project at the same time give different numbers.",
    "dashboard.issue.key": "The page of an issue opens by its key, and lists show and link keys.",
    "keys.moved": "Keys and earlier prefixes survive a move between engines and a restore.",
  }),

  ...from("issue-fields", {
    "issues.move":
      "A moved issue gets a key of the new project, its earlier keys work, and moving back restores them.",
    "issues.move.visible":
      "A moved issue, its runs, questions and links belong to the new project only.",
    "issues.move.events":
      "Callers of both projects get an event of a move, without the other project.",
    "issues.move.refusals":
      "Agents, live runs, taken references and unknown projects refuse a move.",
    "issues.versions": "A description keeps its versions, with the current one.",
    "issues.version.untouched":
      "Links, comments and the pick-up of a resumed issue do not change the version.",
    "issues.labels": "Labels are trimmed, distinct and sorted, and a PUT replaces them.",
    "issues.metadata": "Metadata is a map of texts, and a PUT replaces all of it.",
    "issues.external-ref": "At most one issue of a project has an external reference.",
    "links.first-hundred": "An issue shows its first 100 links, oldest first.",
    "status.timestamps":
      "The service sets and clears startedAt, resolvedAt and closedAt as specified.",
  }),
  ...from("creating-issues", {
    "issues.create.fields": "A new issue has the fields of the request and its creator.",
    "issues.create.invalid":
      "A creation needs a title, and each invalid value is refused by its path.",
    "status.initial": "A new issue is Open at version 1.",
    "issues.created": "A creation and a PUT report the project and the agent that they created.",
    "issues.created.plan": "Each element of a plan's response has its side effects.",
    "issues.created.bound": "A warning names an agent that was never seen, except the caller.",
    "issues.created.strict": "With QM_STRICT_AGENTS, an agent that is not registered is a 422.",
    "issues.created.replay": "A repeated request reports the creations of the first one.",
    "cli.warnings": "The command line prints warnings on stderr.",
    "page.warnings": "The page shows warnings about an issue that was saved.",
  }),
  ...from("updating-issues", {
    "issues.update.fields":
      "An omitted field stays, null clears where allowed, and an equal value changes nothing.",
    "issues.update.whole": "An update is applied completely or not at all.",
  }),
  ...from("changing-many-issues", {
    "bulk.each":
      "A bulk change changes or refuses each issue as a request of its own, and a failure stops no other.",
    "bulk.actions":
      "A bulk change updates, pauses, resumes, closes or deletes issues, or ends their reviews.",
    "bulk.order": "A bulk change takes the issues in the order of the request.",
    "bulk.invalid": "An invalid bulk change is a 400 and changes nothing.",
    "bulk.people": "A bulk change with the key of an agent is a 403.",
  }),
  ...from("deleting-issues", {
    "issues.remove":
      "A deletion needs a confirmation and removes everything that belongs to the issue.",
  }),

  ...from("status", {
    "issues.status.values": "A status is one of six values; any other is refused.",
    "status.law.create-blocked": "An issue created with an open blocker waits and is linked to it.",
    "status.law.link-blocked-by": "A BlockedBy link makes an issue wait, from every status.",
    "status.law.unlink-last": "A waiting issue becomes Open when its last blocker is unlinked.",
    "status.law.blocker-resolved":
      "A waiting issue becomes Open when its blocker is resolved, and its agent gets it next.",
    "status.law.pause": "A paused issue is Open, and its agent stops at its next turn.",
    "status.law.resume": "A resumed issue is InProgress, and its agent gets it next as a new run.",
    "status.law.resolve": "PUT Resolved resolves an issue from every status.",
    "status.law.close":
      "A close works from every status unless dependents are open and force is not true.",
    "status.link.others": "RelatedTo and DuplicateOf change no status.",
    "status.put.resolved.frees": "A resolve frees the dependents that have no other open blocker.",
    "status.put.closed": "PUT Closed is a close without force.",
    "status.put.waiting.blocked": "PUT WaitingOnDependency needs an open blocker.",
    "status.put.open.blocked": "An open blocker forbids PUT Open, InProgress and PendingReview.",
    "status.put.any":
      "PUT Open, InProgress and PendingReview work from every status, including Closed.",
    "status.put.executing":
      "PUT of another status stops the run of an executing issue; PUT InProgress changes nothing.",
    "status.close.idempotent": "Closing a Closed issue changes nothing.",
    "status.close.resolved": "Open dependents also block the close of a Resolved issue.",
    "status.close.forced-frees":
      "A forced close frees the dependents that have no other open blocker.",
    "status.close.executing": "A close stops the run with the reason closed.",
    "status.link.done-blocker":
      "A link to a finished blocker takes the issue through waiting to Open.",
    "status.link.done-blocker.other-open":
      "An issue linked to a finished blocker waits while another blocker is open.",
    "status.link.done-blocker.executing":
      "A link to a finished blocker stops the run of an executing issue with the reason blocked.",
    "status.link.reopens":
      "A link to a finished blocker reopens a Closed issue, whose dependents wait again.",
    "status.create.done-blocker": "An issue created with a finished blocker is Open at version 1.",
    "status.link.blocks": "Blocks from A to B has the same effect on B as BlockedBy from B to A.",
    "status.link.executing":
      "A new blocker stops the run of an executing issue with the reason blocked.",
    "status.unlink.other-status": "Deleting a link changes no status except WaitingOnDependency.",
    "status.unlink.done-remains": "A finished blocker that is still linked makes no issue wait.",
    "status.delete.frees": "Deleting a blocker removes its links and frees its dependents.",
    "status.delete.executing": "A deletion stops the run with the reason deleted.",
    "status.reopen": "Reopening a blocker makes its Open dependents without a run wait again.",
    "status.pause.not-executing": "Only an issue that is InProgress can be paused.",
    "status.resume.not-paused": "Only a paused issue can be resumed.",
    "status.resume.blocked": "An issue with an open blocker cannot be resumed.",
    "status.finish": "Each outcome of a finish leads to its status.",
    "status.finish.blocked": "An issue that is released or failed while a blocker is open waits.",
    "status.finish.frees": "A run that resolves its issue frees the dependents.",
    "status.reassign":
      "A reassignment stops the run and keeps the status, and the new agent starts the next run.",
    "model.equivalence": "For random calls the service behaves as an independent model predicts.",
    "hammer.invariants": "Concurrent calls preserve every invariant.",
    "hammer.if-match": "Of several concurrent writers that require the same version, one succeeds.",
    "hammer.cycle": "Of concurrent links that would close a cycle, one is refused.",
    "hammer.link-exists": "The same link created concurrently from both ends exists once.",
    "hammer.resolve-or-link": "No issue waits for a blocker that is finished.",
  }),
  ...from("pause", {
    "status.put.unpauses": "A PUT of status ends the pause, even with the current status.",
    "status.pause.timeline": "The timeline has every pause and resume.",
    "status.pause.never-picked-up": "No agent picks up a paused issue, regardless of its status.",
    "status.resume.while-stopping":
      "A resume works while the old run is stopping, and the new run follows it.",
    "status.paused.cleared":
      "Resume, a PUT of status and close clear paused; automatic moves keep it.",
  }),
  ...from("readiness", {
    "readiness.codes":
      "Readiness reports each obstacle: notOpen, paused, blocked, unassigned and running.",
    "readiness.silent": "Readiness reports a silent agent and leaves ready true.",
    "readiness.blockers": "Readiness names the open blockers and the roots of the chain.",
    "readiness.run": "Readiness names the run that holds the issue, or the run that died.",
  }),
  ...from("listing-issues", {
    "issues.across": "A list over all projects contains only issues of visible projects.",
    "issues.across.http": "GET /api/projects/issues lists issues of several projects.",
    "issues.brief":
      "A brief issue has the numbers of open blockers, blocked issues and questions, and the live run.",
    "issues.brief.visible": "The numbers of a brief issue exclude issues that are not visible.",
    "issues.brief.http": "view=brief lists brief issues; another view is a 400.",
    "issues.list.filters":
      "The list filters by status, either assignee, goal, priority and updatedSince together.",
    "issues.list.labels":
      "An issue must have every given label, and match the filters externalRef and paused.",
    "issues.list.values":
      "A filter takes several values, a name with not. excludes them, and labels escape commas.",
    "issues.list.alternatives":
      "Every storage lists what a scan with the same filters finds, in every order.",
    "issues.list.has": "The filter has=files follows the removal of files.",
    "issues.list.ready":
      "The filter ready lists the issues that the next heartbeat of their agent picks up.",
    "issues.list.sort":
      "A list is sorted by creation, update or priority, in both orders, page by page.",
    "issues.list.http": "Every filter and order is a query parameter; another value is a 400.",
    "issues.list.search":
      "The search matches all words in any order and case, includes comments, and has no syntax.",
    "search.rank":
      "A search reads its hits tier by tier, title first, and by the last update in each, with a cursor that holds.",
    "search.fields": "A search covers labels and file names, and follows their changes.",
    "search.oracle": "Every storage finds what a scan of all texts finds, in ten scripts.",
    "search.blocks":
      "A search over several blocks of the index finds what a scan of all texts finds.",
    "search.words":
      "A search looks up which words a block of the index has, and collects a prefix only for many words.",
    "search.truncated":
      "A tier has at most 2,000 candidates, and the response says that there were more.",
    "search.snippet":
      "A brief list says in which fields a search found each issue, with a snippet of 160 characters.",
    "search.http":
      "A list with q is by relevance, which requires q, and has headers for what it left out.",
    "search.key": "The issue whose key a search has comes first, in any letter case.",
    "search.keys": "A search for the start of a key finds the issues whose keys start so.",
    "search.key-words":
      "A search finds issues by the words of their keys, after all other fields, on every storage.",
    "search.all":
      "One search lists projects, agents, servers and issues that the caller may see, in one order.",
    "search.rebuild":
      "After a change of the folding every issue is indexed again in steps, by one of several nodes.",
    "issues.list.search-words": "A search of more than 32 distinct words is a 400.",
    "search.folding":
      "Texts are folded for search by one function: diacritics, strokes and ligatures do not distinguish words.",
  }),

  ...from("saved-views", {
    "views.own": "A view is its creator's, and another's is a 404.",
    "views.shared": "A shared view is seen in its project, and Editors of the project change it.",
    "views.events": "A shared view emits events in its projects, and an own view emits none.",
    "views.limits": "A caller and a project have at most 100 views each.",
    "views.http": "/api/views saves, lists, changes and deletes views, with a repeated POST.",
  }),
  ...from("links", {
    "links.seen": "A link of each type is visible from both ends with its own type and direction.",
    "links.201": "A POST of target and type creates a link.",
    "links.list.200": "The list of links contains both directions.",
    "links.delete.204": "A deleted link disappears from both ends.",
    "links.exists": "The same relation is refused from either end, including mutual duplicates.",
    "links.cycle": "A cycle of blockers is refused from either end.",
    "links.cycle.done": "Finished issues count as part of a cycle.",
    "links.limit": "An issue has no more links than the limit allows.",
    "links.remove": "A removal is on both timelines, and a second one is a 404.",
  }),
  ...from("visibility", {
    "visibility.links":
      "A bound caller neither sees nor reaches links to issues of other projects.",
    "visibility.blocked": "Hidden blockers and dependents count, and no response names them.",
    "visibility.cycle": "A reported cycle names only visible issues.",
    "visibility.freed": "An issue that a hidden blocker frees does not name the blocker.",
    "visibility.activity": "The timeline and the events omit entries about hidden issues.",
  }),

  ...from("comments", {
    "comments.create": "A comment has its content and author and is on the timeline.",
    "comments.blank": "A comment of white space is refused.",
    "comments.201": "A POST of content creates a comment.",
    "comments.list.200": "The comments of an issue are listed.",
    "comments.author-type": "Users, agents and the service send only their own authorType.",
    "comments.author-default": "A comment without an authorType has the type of its author.",
    "comments.edit":
      "An edit replaces the text of a comment, keeps the earlier ones as versions, and is on the timeline.",
    "comments.if-match": "Edits and deletions of comments honor the version in If-Match.",
    "comments.change.who":
      "Editors edit and delete every comment, Viewers and agents only their own comments.",
    "comments.fixed": "Hand-ins, answers and comments of the service cannot be edited or deleted.",
    "comments.delete": "A deleted comment keeps its id and its versions, without a text.",
    "comments.purge": "An Admin removes every version of a comment, of whatever kind.",
    "comments.http.edit": "PUT of a comment returns it with its version as ETag.",
    "comments.http.delete": "DELETE of a comment is 204, and only Admins purge.",
  }),

  ...from("inbox", {
    "inbox.question": "An open question is in the inbox until it is closed.",
    "inbox.expired": "An expired question is never in the inbox, recorded or not.",
    "inbox.detail": "The detail of a question has its first 500 characters.",
    "inbox.review": "An issue in PendingReview is in the inbox until it leaves the review.",
    "inbox.mentioned":
      "A person whom a comment, an answer, a hand-in or a description mentions as @id has the issue in the inbox, and no other caller has.",
    "inbox.mentioned-ends":
      "A mention leaves the inbox with the next comment of the person on the issue, when it is dismissed, when the text no longer mentions the person, and after 90 days.",
    "inbox.mentioned-names":
      "Names are recognized outside of code, mail addresses, URLs and names of packages.",
    "inbox.mentioned-cost": "A text without @ records no mention and reads nothing for it.",
    "inbox.mentioned.http": "DELETE /api/inbox/mentions/{issueId} dismisses a mention.",
    "inbox.paused":
      "An issue that failed or had too many attempts is in the inbox until it is resumed.",
    "inbox.root":
      "A root that is not picked up and blocks an open issue is in the inbox, with the reasons.",
    "inbox.once": "The blocked chains omit a root that has its own item or an active run.",
    "inbox.silent": "A silent agent is in the inbox while it has a ready or running issue.",
    "inbox.halted": "An agent whose runner is halted is in the inbox until it works again.",
    "inbox.webhook": "A failing webhook is in the inbox of unbound Admins.",
    "inbox.server-error": "A server with the status error is in the inbox until it works again.",
    "inbox.tools": "A server with changed tools is in the inbox until they are accepted.",
    "inbox.servers": "Only an Admin that is bound to no project has servers in the inbox.",
    "inbox.order": "Items are sorted by priority, then time, then id, in pages.",
    "inbox.blocks":
      "Within a priority, the issues come first for which most open issues wait, directly and through others.",
    "inbox.bounded":
      "A page of the inbox reads the first 501 items of each kind and its own, however many there are.",
    "inbox.stable": "Changes between two pages neither repeat nor skip another item.",
    "inbox.visible": "An issue that the caller may not see is neither in the inbox nor counted.",
    "inbox.groups":
      "Failures with the same first line of their newest hand-in, and silent agents, are a group; other items are groups of one.",
    "inbox.groups.id": "The id of a group stays, and differs for each caller.",
    "inbox.groups.visible":
      "A group has only items that the caller may see, after filters and snoozes.",
    "inbox.groups.pages": "Groups are listed in the order of their first items, in pages.",
    "inbox.groups.http": "view=groups lists groups; another view is a 400.",
    "inbox.mine":
      "mine lists items of issues that are assigned to the caller, and questions of issues that the caller created.",
    "inbox.snooze": "A snoozed item is hidden from its caller until the time.",
    "inbox.snooze-ends": "A snooze ends early when the time of its item changes.",
    "inbox.snooze-pages": "Snoozed items neither shorten a page nor stop the next one.",
    "inbox.snooze.deleted": "The deletion of an issue ends its snoozes.",
    "inbox.snooze-invalid":
      "A snooze lasts at most 30 days; items that are gone, or that the caller may not see, are ignored.",
    "inbox.snooze-key": "An item of an issue is snoozed by the key of the issue.",
    "inbox.snooze.http": "POST /api/inbox/snooze hides up to 1,000 items from the caller.",
    "inbox.http": "projectId may be repeated, and kind is a list separated by commas.",
    "inbox.paging": "The next link of the inbox keeps every projectId.",
    "inbox.invalid": "An unknown kind is a 400.",
  }),
  ...from("statistics", {
    "stats.window": "A window is whole hours, or days for 30d, up to the end of the current one.",
    "stats.series": "Events count in the hour or day in which they happened.",
    "stats.runs": "Runs count by how they started and ended.",
    "stats.issues": "The number of issues by status is the current one.",
    "stats.stays": "The time in a status is off by at most 10 %, and null if no stay ended.",
    "stats.staying":
      "The time in a status includes the time until now of the issues that are still in it.",
    "stats.by-agent":
      "Runs, hand-ins, reviews and the median time of each agent, beside the period before.",
    "stats.by-agent.http": "GET /api/stats/agents lists the statistics of agents; paged.",
    "stats.previous": "Statistics have the sums of the period before.",
    "stats.stay-ends": "A stay has the same length whenever it is counted.",
    "stats.deleted": "The counts of an issue remain when the issue is deleted.",
    "stats.visible": "Numbers include only projects that the caller may see.",
    "stats.agents": "An agent is active for 10 minutes after its last heartbeat.",
    "stats.once": "Each event counts once, even when nodes count at the same time.",
    "stats.as-of": "asOf is the time up to which a log is counted.",
    "stats.retention": "Statistics are retained for 65 days, longer than events.",
    "stats.calls": "Calls count for their server, with durations that are off by at most 10 %.",
    "stats.servers": "Only an Admin that is bound to no project gets statistics of servers.",
    "stats.http": "GET /api/stats responds with the numbers of a window.",
    "stats.invalid": "An unknown window and a repeated projectId are a 400.",
    "stats.nodes": "Two nodes and a restart count each event once, within seconds.",
  }),
  ...from("attachments", {
    "attachments.upload":
      "An upload returns size, hash and download path, and the download returns the same bytes.",
    "attachments.upload.201": "A multipart upload returns the attachment with its download URL.",
    "attachments.list.200": "The list of attachments does not contain their bytes.",
    "attachments.download.200":
      "A download has the bytes and their type, and browsers do not run it as a page.",
    "attachments.delete.204": "A deleted attachment is not found.",
    "attachments.streamed": "The service does not hold a large file in memory.",
    "attachments.limit": "Core stops reading and refuses a file beyond the limit.",
    "attachments.upload.413": "An upload beyond the limit is a 413, and nothing is stored.",
    "attachments.interrupted": "An interrupted upload leaves nothing.",
    "attachments.upload.beside": "A multipart body has at most 64 KiB in addition to the file.",
    "attachments.upload.disconnect": "An upload whose client disconnects leaves nothing.",
    "attachments.upload.400": "An upload needs exactly one part named file with a file name.",
    "attachments.upload.404": "An upload to an unknown issue is a 404.",
    "attachments.upload.type": "A part without a type is application/octet-stream.",
    "attachments.upload.empty": "An empty file is a valid attachment.",
    "attachments.file-name":
      "A file name is reduced to its last segment without control characters.",
    "attachments.upload.name":
      "Over HTTP a file name is reduced to its last segment without control characters.",
    "attachments.download.206": "A download with one range is a 206.",
    "attachments.download.416": "A range out of bounds is a 416.",
    "attachments.remove": "The bytes are removed with the attachment and with its issue.",
    "attachments.bound": "A key bound to other projects finds no attachment.",
  }),

  ...from("timeline", {
    "activity.kinds":
      "The timeline has every kind of change, statusChanged with from, to and cause.",
  }),

  ...from("changes-by-agents", {
    "by-agent.paused":
      "An agent cannot change the status, agent or deferral of a paused issue, nor resume, close or delete it.",
    "by-agent.held":
      "An agent cannot change, pause, close or delete an issue that another agent's live run holds.",
    "by-agent.no-run": "An agent can set InProgress only if its own run holds the issue.",
    "by-agent.hand-in":
      "A PUT of PendingReview, Resolved or Open by the agent whose run holds the issue finishes the run.",
    "by-agent.hand-in.stopped":
      "A run that has to stop is not handed in by a PUT, and stops at its next turn.",
    "by-agent.free":
      "An agent can change, close and delete an issue that is neither paused nor held, and the issue that its own run holds.",
    "by-agent.people": "A person may make all of these changes.",
    "hand-in.acting":
      "An agent can change what a run protects only with a call that acts for that run.",
    "hand-in.only-run":
      "A change of only the status need not name a run if the agent had no other run on the issue.",
    "hand-in.ended": "A call that acts for a run that ended or has to stop changes no issue.",
    "run.fence.http":
      "Every route that writes responds with 409 run-ended to the header of a run that is over.",
    "run.fence.steps":
      "The end of a run refuses its next call by every road, at each step before its admission, and cancels no call in flight.",
    "run.fence.writes":
      "After its end, no write of a run is carried out, by REST or a tool of the service, with and without its header.",
    "run.fence.reasons": "Each reason of run-ended is a sentence of its own.",
    "hand-in.questions":
      "While a blocking question of the run is open, a hand-in as review or resolved is carried out as released.",
    "run.fence":
      "One table decides by the state of a run what a call that acts for the run may do.",
    "hand-in.http":
      "The header, `_meta` and `runId` name the run that a request acts for; two different runs are a 400, and another agent's run is a 403.",
    "hand-in.mcp": "Over /mcp a call acts for the worker's own live run.",
    "hand-in.sent":
      "The command line, the client, tasks and the stdio bridge send the run that they act for.",
    "reviews.people": "An agent's key does not end a review.",
    "reviews.taken-back":
      "The agent that handed an issue in may open it again until a person comments.",
    "reviews.review": "With `review`, an issue that an agent resolves goes to review.",
    "reviews.approve": "With `approve`, agents may end reviews.",
    "reviews.project": "A person's Editor key may set agentsMay, which emits an event.",
    "by-agent.http": "Changes that an agent's key may not make are 409 paused, held and no-run.",
  }),

  ...from("projects", {
    "projects.role": "An Editor that sees the project may pause it; an agent may not.",
    "projects.updated": "A pause and its end emit project.updated; a repetition emits nothing.",
    "projects.create": "A person creates a project, and only an Admin names its prefix.",
    "projects.delete.who": "Only an Admin that is bound to no project deletes a project.",
    "projects.delete.in-use":
      "A project with issues, or with live runs of deleted ones, is not deleted.",
    "projects.delete.wiped":
      "Settings, runs, shared views and webhooks of a project are deleted with it.",
    "projects.delete.prefix": "A prefix belongs to its project, also after the project's deletion.",
    "projects.delete.http": "DELETE deletes a project without issues.",
    "projects.strict": "With strict projects an issue needs a project that exists.",
    "projects.directory": "A caller cannot create a project where the host has a directory.",
    "projects.list": "The list of projects has the visible ones, with their counts.",
    "projects.activity.hidden":
      "An event about an issue of a hidden project does not count as activity of a project.",
    "projects.list.http": "GET /api/projects is paged by id.",
    "projects.http": "PUT pauses a project, and an agent's key is refused.",
  }),

  ...from("agents", {
    "agents.updated": "A change to an agent emits agent.updated; a repetition emits nothing.",
    "agents.paused.http": "PUT pauses an agent and sets its tool mode, which GET shows.",
    "agents.get": "GET returns the same agent as the list, with the runs that the caller may see.",
    "agents.delete": "A deleted agent is not found, and its ended runs remain.",
    "agents.delete.in-use":
      "An agent that holds a live run or has an assigned issue cannot be deleted.",
    "agents.delete.role": "Only an Admin that is bound to no project can delete an agent.",
    "agents.strict":
      "With strict agents, an assignment to an agent that is not registered is refused.",
    "agents.limit": "No call registers more agents than the limit.",
    "agents.limit.bound": "An assignment by a key that is bound to projects registers no agent.",
    "agents.limit.access": "A grant to a new agent beyond the limit is refused as a whole.",
    "agents.http": "GET returns an agent, DELETE is a 204, and a 409 while the agent is in use.",
  }),
  ...from("paused-agents-and-projects", {
    "agents.paused":
      "A pause stops the agent's live runs, and no heartbeat claims issues for the agent until the pause ends.",
    "projects.paused":
      "A pause stops the live runs of the project's issues, and no issue is claimed until the pause ends.",
    "tools.call.agent-paused":
      "A paused agent's call is refused, and a call that was sent before is not affected.",
  }),
  ...from("acting-for-agents", {
    "runs.acting":
      "An agent's key acts for its agent, a project's key for none, an Editor's key for every agent.",
    "runs.acting.bound-agent":
      "The key of an agent that is bound to projects claims, renews and sees only runs in these projects.",
    "access.agent": "Over HTTP an agent's key acts only for its agent.",
    "tools.call.who": "An agent's key calls only its agent's tools.",
    "tools.acting": "Over HTTP the rules for acting apply to an agent's tools.",
  }),
  ...from("questions", {
    "questions.ask": "A question has its asker, the asker's live run, and defaults.",
    "questions.ask.values": "Only a choice has options, and every value of a question has limits.",
    "questions.ask.key": "While a question with the same key is open, no second one is created.",
    "questions.ask.limit": "At most 20 questions of an issue are open.",
    "questions.ask.done": "An issue that is Resolved or Closed accepts no question.",
    "questions.ask.agent":
      "An agent asks a blocking question only on an issue that is assigned to it.",
    "questions.answer": "An answer closes the question and is a comment by the person.",
    "questions.answer.values": "A choice accepts one of its options, a confirm yes or no.",
    "questions.answer.limits": "The longest answer to the longest prompt fits into a comment.",
    "questions.answer.agent": "An agent cannot answer a question.",
    "questions.answer.again":
      "The same answer by the same person returns the question; any other answer is refused.",
    "questions.claim": "A blocking question keeps heartbeats from its issue while it is open.",
    "questions.started":
      "A run starts with the questions that were closed since the previous run started.",
    "questions.readiness": "Readiness reports awaitingAnswer while a blocking question is open.",
    "questions.withdraw": "An open question can be withdrawn once, a closed question cannot.",
    "questions.withdraw.done": "An issue that is done or deleted withdraws its open questions.",
    "questions.visibility": "A question in a project that the caller may not see is not found.",
    "questions.expiry.read": "An expired question never reads as open, recorded or not.",
    "questions.expiry.continue": "After the expiry a claim picks the issue up.",
    "questions.expiry.pause": "onExpiry pauses the issue regardless of its status.",
    "questions.expiry.claim": "A claim records an expiry that pauses, and takes the next issue.",
    "questions.expiry.answer": "An answer that comes too late records the expiry and is refused.",
    "questions.expiry.turn": "A turn records an expiry, and stops if it pauses.",
    "questions.expiry.finish": "A finish after an expiry that pauses is refused.",
    "questions.expiry.housekeeping": "Housekeeping records expiries and stops live runs.",
    "questions.expiry.change": "A change to the issue records the expiry first.",
    "questions.http.ask": "POST of a question is 201, and 200 while one with its key is open.",
    "questions.http.list": "GET lists an issue's questions, filtered by status.",
    "questions.http.answer": "A person's answer is 200, an agent's key 403.",
    "questions.http.withdraw": "DELETE of a question is 204.",
    "questions.http.refusals": "Refused questions have their problems.",
    "questions.http.idempotency": "An Idempotency-Key asks and answers once.",
  }),
  ...from("attempts", {
    "attempts.expiry": "An expired lease counts an attempt, and the first retry has no delay.",
    "attempts.delay":
      "After attempt n the next run starts 60 s × 2^(n-2) later, at most 30 minutes.",
    "attempts.limit": "At maxAttempts the issue is paused and Open.",
    "attempts.limit.waiting": "At maxAttempts an issue with an open blocker waits.",
    "attempts.claim":
      "A claim counts an expired lease that is not recorded, and takes the next issue.",
    "attempts.claim.reassigned": "The claim of another agent also counts it.",
    "attempts.stopping": "The expired lease of a run that had to stop does not change its issue.",
    "attempts.retry": "A failed run with retry counts like an expired lease.",
    "attempts.failed": "A failed run pauses its issue and counts an attempt.",
    "attempts.reset.finish": "A run that hands its issue in resets the attempts.",
    "attempts.reset.put": "A status or an agent that a user sets resets the attempts.",
    "attempts.settle": "A change to an issue whose lease expired records the expiry first.",
    "attempts.setting": "QM_MAX_ATTEMPTS limits the attempts.",
    "deferral.post": "An issue with notBefore is not claimed before that time.",
    "deferral.put": "An update sets and clears notBefore, as deferred on the timeline.",
    "deferral.released": "A run may be released for later.",
    "deferral.released.only":
      "retryAfterSeconds is only for the outcome released, and retry only for failed.",
  }),
  ...from("claims", {
    "status.pickup": "A claimed issue becomes or stays InProgress.",
    "status.pickup.blocked": "No agent claims an issue with an open blocker.",
    "runs.heartbeat.order":
      "A heartbeat claims up to its capacity: resumed issues, then by priority, then the oldest.",
    "runs.once":
      "An issue starts once, regardless of how many concurrent heartbeats its agent sends.",
    "hammer.claim": "If several agents compete for an issue, one gets it.",
  }),
  ...from("heartbeat", {
    "runs.heartbeat.answer":
      "A heartbeat returns the runs that it started, the runs that it renewed, and the runs to stop.",
    "heartbeat.started.comments": "A started run has the newest 20 comments, oldest first.",
    "runs.heartbeat.invalid": "Capacity is 0 to 50, and a lease 5 to 86,400 seconds.",
    "heartbeat.halted.attempts":
      "The runs of a halted runner give their attempts back once, unless a person changed the issue since.",
    "heartbeat.halted.note": "A halted runner is the agent's note until a heartbeat without it.",
    "runs.stop.unacknowledged": "A run listed in stop keeps its issue.",
  }),
  ...from("turn", {
    "runs.turn.renews": "A turn renews the lease.",
    "runs.turn.changes":
      "A turn returns the texts that others changed since the run may have read them.",
    "runs.turn.comments": "A turn returns the comments by others since the previous turn.",
  }),
  ...from("finish", {
    "runs.finish.attempts": "A released run keeps the number of attempts if it says so.",
    "runs.finish.comment":
      "The agent of the path is the author of a finish's comment, and a second finish is refused.",
  }),
  ...from("runs", {
    "runs.lease": "An expired lease frees the issue, and turn and finish of its run are refused.",
    "runs.attempt": "A run shows its attempt, and the reason why it had to stop.",
    "runs.lease.no-revival": "No heartbeat renews an expired run.",
    "runs.foreign": "A turn or finish of another agent's run, or for an unknown agent, is a 404.",
    "runs.list": "The list of an agent's runs shows their current status and filters by it.",
  }),
  ...from("tools-of-an-agent", {
    "tools.list": "An agent's tools come from the servers that are enabled and granted to it.",
    "tools.list.404": "The tools of an unknown agent are a 404, which does not register it.",
    "tools.list.fields":
      "The list shows a tool's names, title, description, schema and annotations.",
    "tools.list.search": "The list filters by words, best match first, up to a limit.",
    "tools.list.order":
      "Tools are listed by server, oldest first, and in the order of their server.",
    "tools.list.names":
      "A long or invalid name is shortened to 64 characters with a hash; all names are unique and callable.",
    "tools.list.rename": "The names of tools change with the server's name.",
    "tools.list.independent": "A server that hangs or fails does not delay the list.",
    "tools.list.nodes": "A change on one node appears in the lists of the other nodes.",
    "tools.list.unread": "A heartbeat does not read tools that it has read before.",
    "tools.revision": "Two revisions are equal if and only if the lists are equal.",
    "tools.revision.heartbeat": "Heartbeats and turns return the same revision.",
    "tools.revision.restart": "The revision is the same after a restart and on another node.",
  }),
  ...from("records-of-runs", {
    "runs.record":
      "A run has its note, worker, exit code, the comment of its hand-in and the size of its log.",
    "runs.worker":
      "A run shows the program, the machine and the process id of its worker, if they are known.",
    "runs.notes":
      "The newest note stands in the run, and its timeline has all; a repeat and an ended run add none.",
    "runs.notes.secrets": "Secrets are removed from notes.",
    "runs.notes.deleted": "Notes go with their issue, and with their run.",
    "runs.timeline": "The timeline of a run has what happened while it ran, oldest first.",
    "runs.all": "All runs that a caller may see are listed newest first, with filters.",
    "runs.http": "Runs, a run and its timeline are read over HTTP; what is not visible is a 404.",
  }),
  ...from("log-of-a-run", {
    "logs.append": "Entries get numbers in the run, and writers have numbers of their own.",
    "logs.repeat":
      "An overlap stores only what is new; a gap, or a repeat with other texts, stores nothing.",
    "logs.limits": "A request has 1,000 entries and 256 KiB of texts, and a run 8 writers.",
    "logs.limits.run": "A log has 16 MiB: the first mebibyte and the newest entries.",
    "logs.limits.all":
      "Beyond the limit of all logs the runs that ended first lose theirs, and each log goes days after its run.",
    "logs.who":
      "An agent's key writes to the log of a run that it started, or that the request names.",
    "logs.fence":
      "A run that has to stop writes on, one that ended for 10 minutes, and one without its issue does not.",
    "logs.deleted": "The log of a run goes with its issue, and is in no later backup.",
    "logs.backup": "A backup without logs has none, and their writers may go on after a restore.",
    "logs.secrets":
      "Keys and whole sealed values are removed, also if they are split over entries of a stream.",
    "logs.secrets.granted":
      "Values of servers that the agent was granted are removed from its logs.",
    "logs.secrets.limit":
      "What follows the 100th secret of a request is dropped, and the log says so.",
    "logs.wait": "A reader waits for the next entry, and learns of the run's end.",
    "logs.nodes": "A reader that waits at another node gets an entry within a second.",
    "logs.event":
      "Subscribers of every node get run.logged at most once a second per run; it is not stored.",
    "logs.http": "POST stores entries and returns next, bytes and dropped; GET returns them.",
    "logs.http.tail": "GET with tail returns only the newest entries of the run.",
    "logs.http.text": "GET with Accept: text/plain streams the log as text.",
    "logs.http.400":
      "Bad bodies, parameters and an Idempotency-Key are a 400, and a large body is a 413.",
  }),
  ...from("usage", {
    "usage.defaults": "A report has one request, no cost and the source agent by default.",
    "usage.values":
      "Numbers are integers from 0 to 10^10, and a part is not larger than its whole.",
    "usage.sums": "Sums stop at 2^53 - 1.",
    "usage.key": "A key counts once per run, and with other values it is refused.",
    "usage.source": "A run counts only its best source.",
    "usage.cumulative":
      "Totals of a session count as far as they grew, over all runs, in any order.",
    "usage.run": "Runs and issues have the sums of their reports.",
    "usage.refused": "A turn or a hand-in that is refused still counts its usage.",
    "usage.who": "Callers that act for the agent report; others see the usage of their projects.",
    "usage.list": "Groups cover whole hours, by day by default, in pages.",
    "usage.days": "Sums by the hour stay for 400 days.",
    "usage.http": "POST counts reports; runs, issues and groups have the sums.",
    "usage.http.400": "Bad values, parameters and an Idempotency-Key are a 400.",
    "usage.tools": "work_turn and work_finish report usage, even if they are refused.",
  }),
  ...from("tool-calls", {
    "tools.call": "A call returns content, structuredContent and isError.",
    "tools.call.invalid": "An invalid call is refused by the path of the value.",
    "tools.call.result":
      "Arguments reach the server unchanged, and the call returns the server's result.",
    "tools.call.rpc-error": "A JSON-RPC error is a result with isError.",
    "tools.call.rpc-error-data":
      "The data of a JSON-RPC error is text and structured content, and a URL in it is text.",
    "mcp.outage.sentence":
      "A call that was not sent reports since when its server has been unreachable and when the service retries.",
    "tools.call.advice": "A refused call reports whether it was sent, and when to call again.",
    "mcp.install.limits":
      "maxResultBytes, idleSeconds, callTimeoutSeconds and callMaxSeconds are set by install and PUT, null restores the default, others are refused.",
    "mcp.update.limits":
      "A change of maxResultBytes closes no connection; a change of idleSeconds does.",
    "mcp.install.warnings":
      "A server whose callTimeoutSeconds is above 600 has a warning that names the hosts which end calls earlier.",
    "mcp.idle.server": "A connection closes after idleSeconds of its server, and never with 0.",
    "tools.call.callTimeoutSeconds":
      "callTimeoutSeconds of a server replaces QM_TOOL_TIMEOUT for its calls.",
    "effects.identity":
      "Two calls are the same effect if server, tool and arguments as RFC 8785 JSON, the values at by, or the caller's name are equal.",
    "effects.cycle":
      "A person who reopens a resolved or closed issue starts a new cycle of effects; an agent does not.",
    "effects.housekeeping":
      "Housekeeping records lost effects as unknown, and removes results 7 days after the end of their issue.",
    "effects.uninstall":
      "Uninstalling a server removes the results of its effects; identity and state stay with the issue.",
    "effects.decision":
      "An equal call is refused while a slot is unknown, waits while one is sent, replays a done one that its run has not used, sends a failed one again, or is sent.",
    "tools.once.need-run":
      "A call of a tool that is covered by once needs a live run; the minutes after a hand-in do not count.",
    "tools.once.ends":
      "An effect has failed only if it surely was not carried out, is done if a result arrived, and is unknown otherwise.",
    "tools.once.idempotency-key":
      "A server receives a key of each effect, which is the same when a failed effect is sent again.",
    "tools.once.replay":
      "Equal calls of one run are several effects; the next run gets their results without a call.",
    "tools.once.delivered":
      "A run has used an effect once the last byte of its response went to an open connection; until then an equal call replays it.",
    "tools.once.resume":
      "After work_next with resume, the run has used none of its effects before.",
    "effects.nodes": "Of two equal effects on two nodes at the same time, one is sent.",
    "effects.http.name":
      "An effect that its caller names is sent once in its cycle, also for the same run, and again after a failure.",
    "effects.http.mismatch":
      "Other arguments under the name of an effect are 422 idempotency-mismatch, or isError over /mcp.",
    "effects.http.unknown":
      "A call whose reply was lost is refused over REST and /mcp until it is settled.",
    "effects.http.settle":
      "A settlement is effect-open before its time and effect-settled after it, and a person corrects it until a call has used it.",
    "effects.http.person":
      "With settle person no agent settles an effect, and no agent starts over.",
    "effects.http.result":
      "A result above 256 KiB is replayed as a sentence, as an error if the tool has an output schema.",
    "effects.events":
      "issue.effectSent, issue.effectEnded, issue.effectSettled and issue.effectsReset report effects, and the timeline of a run has them.",
    "effects.inbox":
      "An unknown effect is in the inbox until it is settled, its issue stays claimable, and the next run gets the newest 50 effects.",
    "tools.once.unknown": "An effect whose reply was lost is not sent again before it is settled.",
    "effects.settle":
      "An unknown effect is settled: what happened is replayed, what did not happen is sent again.",
    "effects.tool": "Agents settle unknown effects of their issue with effect_settle.",
    "tools.once.failed": "An effect that failed is sent again by an equal call.",
    "tools.once.wait": "A call waits up to 45 s for an equal effect that is in flight.",
    "tools.once.chaos":
      "No effect happens twice, whatever happens to replies, runs, processes and nodes at the same time; each is done, or unknown and refused.",
    "tools.once.runs-on":
      "An effect that was sent runs on when its caller hangs up, also past the end of its run.",
    "tools.calls.context":
      "A server learns whose call it is and the caller's trace; without sendContext, the default of remote servers, it learns neither.",
    "tools.calls.context.wire":
      "Over real connections, by REST and both versions of /mcp, servers get exactly the members of `quartermaster/call`, and no `quartermaster/` member of callers or servers passes.",
    "mcp.install.call-settings":
      "sendContext and recordCalls of a server are set by install and PUT, null restores the default, others are refused.",
    "mcp.install.once":
      "once, onceErrors and settle of a server are set by install and PUT, null restores the default, others are refused.",
    "mcp.once.covers":
      "A tool is covered by its name or by a pattern; a pattern covers no tool with readOnlyHint.",
    "tools.call.callMaxSeconds":
      "A call ends after callMaxSeconds of its server, whatever its progress.",
    "tools.call.maxResultBytes":
      "A result of more than maxResultBytes is a result with isError that has its size.",
    "tools.call.tooLarge":
      "A result beyond its limit is a result with isError that has its size; the server and other calls continue.",
    "mcp.elicitation": "A server that asks a person gets no answer, and the result says so.",
    "tools.call.readable": "Every part of a result that clients can read is retained.",
    "agents.mcp.readable": "The official SDKs and REST return every result.",
    "tools.call.nested": "A result that is nested too deeply becomes a result with isError.",
    "tools.call.granted": "The list and each call check the grants.",
    "tools.call.refused":
      "Unknown tools, unknown agents and servers that are not enabled are refused.",
    "tools.call.timeout": "A call ends after 60 s without progress and is never repeated.",
    "tools.call.progress": "Progress reaches the caller and extends the time of a call.",
    "tools.call.progressClean":
      "Progress passes without the server's `_meta`, and its message cannot pretend to be the service's.",
    "tools.call.crashed": "A call whose server dies fails and is not repeated.",
    "tools.call.failing": "A call that the connector cannot make fails with a reason.",
    "tools.call.revoked": "A revocation ends calls in flight, also at the server.",
    "tools.call.agent-deleted": "The deletion of an agent ends its calls in flight.",
    "tools.call.uninstalled": "An uninstall ends calls in flight.",
    "tools.call.disabled": "A disable ends calls in flight.",
    "tools.call.updated":
      "An update ends calls in flight, and the next call uses a new connection.",
    "tools.call.unsent": "A call not yet sent when its server changes uses the new connection.",
    "tools.call.cancelled": "An interruption cancels the call at the server.",
    "tools.call.cancel":
      "A caller that disconnects cancels the call at the server, also after its response started.",
    "tools.call.long":
      "After 5 s spaces keep the connection of a call alive; a refusal after that is a result with isError.",
    "tools.unavailable": "A call that cannot be made is a 409 with the reason.",
  }),
  ...from("record-of-tool-calls", {
    "tools.calls": "The record of calls is paged and filters by agent and server.",
    "tools.calls.record": "Each call is recorded without arguments and result, newest first.",
    "tools.calls.need-run": "An agent with `callsNeedRun` calls tools only for a live run.",
    "tools.calls.admitted":
      "A call is recorded before its server receives it, and its record has no outcome until it ends.",
    "tools.calls.fence":
      "A call for a run that may not call tools is not sent, and is recorded as refused with the reason.",
    "tools.calls.chaos":
      "No call is admitted for a run that is over, whatever happens to runs, processes and nodes at the same time.",
    "tools.calls.renews":
      "A call renews the lease of the run that it acts for, while it is in flight.",
    "tools.calls.lease":
      "A call is cancelled when its active run loses its lease, but not when the run has to stop.",
    "tools.calls.holds":
      "While a call for a run is in flight, no agent claims the issue of the run, whatever became of the run.",
    "tools.calls.lost": "A call whose node stopped is lost 30 s after its last extension.",
    "tools.calls.errors":
      "The record of a failed call has the text of the failure without secrets.",
    "tools.calls.record-calls": "With recordCalls `none` the record of a failed call has no text.",
    "tools.calls.bodies":
      "With recordCalls `all` the record of a call has its arguments and result, without secrets and sealed; lists do not.",
    "tools.calls.bodies.limit":
      "Arguments and results have up to 64 KiB as JSON; of more there is the start, and truncated is true.",
    "tools.calls.bodies.removed":
      "Arguments and results are removed when the server is uninstalled and when the issue is deleted.",
    "tools.calls.bodies.retention":
      "Arguments and results are retained for QM_CALL_BODY_DAYS and have together QM_CALL_BODY_BYTES; the oldest are removed first.",
    "tools.calls.bodies.rotate": "A rotation of the master key seals arguments and results again.",
    "tools.calls.filters": "Records are filtered by run, issue, tool, outcome and start.",
    "tools.calls.run":
      "Viewers list the calls of a run, Editors read their errors, and no other agent's key does.",
    "tools.calls.once": "A call whose end another node records during a list is listed once.",
    "tools.calls.retention": "Records are retained for 90 days.",
  }),

  ...from("agents-in-process", {
    "host.task": "A task offers turn and finish on behalf of the agent.",
    "host.acts": "A task attaches, asks, notes and logs in the name of the agent.",
    "host.tools": "A task offers the tools that the agent was granted.",
    "host.stop": "An agent that has to stop learns this at a turn, and the issue does not change.",
    "host.comments": "A task can read every comment of its issue.",
    "host.failed": "If the work fails, the issue is handed in as failed with the reason.",
    "host.interrupted": "If the work is interrupted, the issue is released.",
    "host.capacity":
      "The host works on no more issues than its capacity, and picks up the next one when one is finished.",
    "host.released":
      "A released issue is picked up again with the next heartbeat, not immediately.",
    "host.lease": "Heartbeats keep the leases of running tasks.",
    "host.rhythm": "A heartbeat interval that cannot keep the lease is refused.",
    "host.transient": "The host retries transient failures of storage.",
    "host.promises": "The promise host offers the same with promises and an async iterator.",
  }),

  ...from("agents-over-mcp", {
    "agents.mcp.list":
      "The list has the agent's tools as their servers define them, and the issue tools.",
    "agents.mcp.list-own": "The tools of another agent are neither listed nor known.",
    "agents.mcp.call": "Arguments and results pass through unchanged.",
    "agents.mcp.call-error":
      "A tool that fails, or whose server fails, returns a result with isError.",
    "agents.mcp.unknown":
      "A tool that the agent may not use is a result with isError that names the reason, or the nearest name.",
    "agents.mcp.progress": "Progress arrives before the result.",
    "agents.mcp.cancel": "A cancelled call is cancelled at its server.",
    "agents.mcp.long":
      "After 5 s comments of a stream, or spaces in legacy versions, keep the connection of a request alive.",
    "agents.mcp.revoked": "A call of a tool that is revoked during it fails immediately.",
    "agents.mcp.changed":
      "The endpoint announces every change to the list, regardless of its cause.",
    "agents.mcp.changed-first":
      "The endpoint announces the tools of a server that was never verified.",
    "agents.mcp.changed-own": "An agent whose list did not change gets no announcement.",
    "agents.mcp.pages": "A long list has pages, and an unknown cursor is refused.",
    "agents.mcp.errors": "A protocol error is a JSON-RPC error.",
    "agents.mcp.key": "Only an agent's key is accepted; others are a 401 or 403 problem.",
    "agents.mcp.viewer": "A Viewer's key sees no tools of servers.",
    "agents.mcp.http": "Problems come before protocol errors, in the order of every route.",
    "agents.mcp.rate": "The rate limit of keys applies.",
    "agents.mcp.host": "Host and Origin must be served or allowed ones.",
    "agents.mcp.cors":
      "A page of an allowed origin can send every request and read every response.",
    "agents.mcp.challenge": "A 401 of /mcp names invalid_token and describes what to configure.",
    "agents.mcp.oauth":
      "The OAuth paths respond with OAuth's errors, and clients report the sentence.",
    "agents.mcp.stateless": "The current protocol version needs no session.",
    "agents.mcp.stateless-plain":
      "Requests of the current version follow the same rules with and without progress.",
  }),
  ...from("work-loop", {
    "agents.mcp.instructions":
      "Accepted instructions of granted servers follow the service's own, quoted.",
    "agents.mcp.instructions.room":
      "Instructions beyond 16,384 characters are omitted, and their servers named.",
    "mcp.instructions.granted":
      "Agents read instructions of offered servers of which they may use a tool.",
  }),
  ...from("pinned-tools", {
    "mcp.instructions.pinned":
      "The first instructions are accepted, and later ones are withheld until they are accepted.",
    "mcp.instructions.new": "Instructions of a server that had none are withheld.",
    "mcp.instructions.text":
      "The first 2,048 characters of instructions are used, without control characters and secrets.",
  }),
  ...from("acceptance", {
    "mcp.instructions.accept":
      "An acceptance of instructions requires their digest; without it they stay withheld.",
    "mcp.instructions.verify":
      "A verify accepts the instructions that were recorded before it, and no others.",
  }),
  ...from("resources", {
    "agents.mcp.resources.list":
      "Resources and templates of granted servers are listed and read by URIs that name the server.",
    "agents.mcp.resources.uri": "Every URI of a server becomes a URI that leads back to it.",
    "agents.mcp.resources.uri-other": "A URI that belongs to no server is not found.",
    "agents.mcp.resources.links":
      "Links and embedded resources in results have URIs that can be read.",
    "agents.mcp.resources.granted":
      "Resources belong to offered servers that the agent was granted as a whole.",
    "agents.mcp.resources.viewer": "A Viewer's key and another agent's key see no resources.",
    "agents.mcp.resources.paused": "A paused agent reads nothing.",
    "agents.mcp.resources.asked": "A server without resources is not contacted for a list.",
    "agents.mcp.resources.independent":
      "A server that hangs or fails costs no other server's list more than 5 s, once.",
    "agents.mcp.resources.out":
      "The resources of a server that is out stay listed, and reading one says when it is tried again.",
    "agents.mcp.resources.malformed":
      "Only a resource that clients could not read is omitted, and secrets are replaced.",
    "agents.mcp.resources.bounded":
      "The first 2,000 resources and 1 MiB of a server's list are used.",
    "agents.mcp.resources.pages": "A long list has pages, and an unknown cursor is refused.",
    "agents.mcp.resources.next": "Later pages continue the list of the first page.",
    "agents.mcp.resources.read":
      "A read returns the contents that clients can read, with the URIs of agents and without secrets.",
    "agents.mcp.resources.errors":
      "An unknown resource and a failed read are errors of the protocol.",
    "agents.mcp.resources.failed":
      "A read ends like a call: in time, with its server, and with its access.",
    "agents.mcp.resources.updated": "A read whose server is updated is read once more.",
    "agents.mcp.resources.limits": "Reads and calls share the limits of the access entry.",
    "agents.mcp.resources.record": "A read is recorded as a call of resources/read.",
    "agents.mcp.resources.changed": "The endpoint announces changed resources.",
    "agents.mcp.resources.announced": "A server's announcements are collected for a second.",
    "connector.resources": "A connection lists and reads resources, of all pages.",
    "connector.resources.none": "A server without resources is not asked for them.",
    "connector.resources.endless": "An endless list of resources is cut off.",
    "connector.resources.modern":
      "Resources of a server with protocol version 2026-07-28 are read, and their changes noticed.",
  }),
  ...from("prompts", {
    "agents.mcp.prompts.list":
      "Prompts of granted servers are listed, returned and completed, in both protocol versions.",
    "agents.mcp.prompts.granted":
      "Prompts belong to offered servers that the agent was granted as a whole.",
    "agents.mcp.prompts.viewer":
      "A Viewer's key and another agent's key have no prompts, and a Viewer's endpoint announces none.",
    "agents.mcp.prompts.pinned":
      "The first list of prompts is accepted, and a changed or new prompt is withheld until an Admin accepts it.",
    "agents.mcp.prompts.digest": "A verify accepts prompts with the tools, by the digest of both.",
    "agents.mcp.prompts.blocked": "An Admin blocks a prompt by its name.",
    "agents.mcp.prompts.names":
      "Long and odd names of prompts get a hash, and the server gets its own name back.",
    "agents.mcp.prompts.invalid":
      "Only a prompt that clients could not read is withheld, and the verify says so.",
    "agents.mcp.prompts.unlisted":
      "A server whose prompts hang or fail keeps its tools and its accepted prompts.",
    "agents.mcp.prompts.messages":
      "Messages have no secrets, no invisible characters, and nothing that looks like the service's words.",
    "agents.mcp.prompts.completion":
      "Arguments of prompts and variables of templates are completed, with at most 100 values.",
    "agents.mcp.prompts.errors":
      "An unknown, a withheld and a failed prompt are errors of the protocol.",
    "agents.mcp.prompts.record":
      "A prompt is recorded as a call of prompts/get, and a completion is not recorded.",
    "agents.mcp.prompts.limits":
      "Prompts, completions and calls share the limits of the access entry.",
    "agents.mcp.prompts.paused":
      "A paused agent, and one that needs a live run, gets no prompt and no completion.",
    "agents.mcp.prompts.pages":
      "A long list of prompts has pages, and an unknown cursor is refused.",
    "agents.mcp.prompts.changed": "The endpoint announces changed prompts.",
    "connector.prompts":
      "A connection lists, gets and completes prompts, in both protocol versions.",
    "mcp.real.prompts":
      "The official clients of both protocol versions get and complete the prompts of a real server.",
    "connector.prompts.none": "A server without prompts is not asked for them.",
  }),
  ...from("issue-tools", {
    "agents.mcp.names": "The issue tools have the names of the contract.",
    "agents.mcp.issues": "An agent works on an issue from its creation to its review.",
    "agents.mcp.issues-refused": "A refusal is a result with the sentence and the problem.",
    "agents.mcp.issues-seen": "The issue tools see what the key may see.",
    "agents.mcp.issues-role": "A role that is too low is reported as such.",
    "agents.mcp.parameters":
      "Each parameter of the service's tools has a description, and offers null only to clear.",
    "agents.mcp.refusals": "The refusal of a tool call names the tools to use next.",
    "agents.mcp.files": "Tools attach and read texts, images and other files.",
    "agents.mcp.files.refused": "A file needs one content of at most 1 MiB, and an issue.",
    "agents.mcp.lists": "Lists of tools leave out fields that are null, false, 0 or empty.",
    "agents.mcp.plan": "A tool creates a plan, all or none.",
    "agents.mcp.questions": "Tools list and withdraw questions.",
    "agents.mcp.hints":
      "Results name the known projects for an unknown one, and warn about an agent that was never seen.",
  }),
  ...from("work-loop", {
    "work.loop": "An agent works by tools: it gets an issue, takes turns, stops and hands in.",
    "work.instructions": "The instructions name the agent, its projects and the work loop.",
    "work.bridge": "The bridge names its process as the worker of each call.",
    "work.next": "work_next claims an issue, and returns the worker's live run again.",
    "work.next.once": "Calls of one worker at the same time start one run.",
    "work.next.shared": "A worker that only its key identifies is busy while it holds a run.",
    "work.next.nothing": "Without an issue, work_next returns the reason and when to ask again.",
    "work.next.awaiting":
      "Without work, an issue that waits for an answer is the reason, and its answer wakes the worker.",
    "work.next.paused": "work_next reports that the agent or the project is paused.",
    "work.next.project": "work_next claims in one project if it names one that the key may see.",
    "work.next.header": "A worker of one run claims nothing.",
    "work.quoted": "Text of people, agents and servers cannot be mistaken for the service's.",
    "work.wait": "A waiting worker gets an issue as soon as there is one.",
    "work.worker.meta": "_meta identifies a worker.",
    "work.worker.key": "Two processes with the same key do not share a run.",
    "work.worker.session": "A session identifies a worker.",
    "work.worker.header": "Quartermaster-Run names a run of the key's agent, or is a 403.",
    "work.worker.header-empty": "An empty Quartermaster-Run names no run.",
    "work.worker.name": "Quartermaster-Worker identifies a worker within its key.",
    "work.worker.name-form": "Quartermaster-Worker with another form is a 400 on every route.",
    "work.worker.own-stop": "Two processes with one key have their own issues and stops.",
    "work.held": "A turn and a finish of another worker's live run are refused.",
    "work.take-over": "A worker takes over a run whose holder has been silent for 60 seconds.",
    "work.take-over.own": "A worker whose id is not shared takes its own run over immediately.",
    "work.take-over.busy": "A worker that holds a run takes no other over.",
    "work.take-over.events": "A takeover emits an event, and the timeline has both runs.",
    "work.take-over.tools": "work_next and work_turn take a run over and return the new one.",
    "work.take-over.call": "A run is not taken over while a call of it is in flight.",
    "work.fence": "A stop fences its worker until it acknowledged it and asked for work.",
    "work.fence.hand-in":
      "A hand-in as released or failed fences its worker until it asks for work.",
    "work.fence.several": "A worker with several live runs has to name one.",
    "work.fence.tools": "Granted tools and resources are not sent for a run that has to stop.",
    "work.fence.writes": "A fenced worker reads and comments, and writes nothing else.",
    "work.fence.released":
      "A worker that released its issue writes nothing until it asks for work.",
    "work.shared.busy": "The refusal names the run of the other process, and how to take it over.",
    "work.shared.stop": "A stop stands for 15 minutes where several processes may be the worker.",
    "work.session-end": "The run of a deleted session is released after 60 seconds.",
    "work.session-end.named": "A request that names the run of a deleted session keeps it.",
    "work.session-end.delete": "DELETE of a session releases its run without an attempt.",
    "work.heartbeat": "The run of a heartbeat belongs to no worker.",
    "work.renew": "A call renews the lease, at most every 10 seconds.",
    "work.renew.short": "A short lease is renewed before it expires.",
    "work.renew.calls": "A call renews before it is carried out and while it is in flight.",
    "work.stop": "A run that has to stop is not renewed.",
    "work.stop.tools": "Every result carries the stop until a turn acknowledges it.",
    "work.stop.structured": "A stop turns structured content into text.",
    "work.stop.schema":
      "A tool with an output schema keeps its structured content in addition to the stop.",
    "work.lost": "A lost lease is a stop until a turn acknowledges it.",
    "work.lost.header": "A worker of one run is notified of its lost lease.",
    "work.lost.next": "The next claim acknowledges a lost lease.",
    "work.tools.tokens": "The tools of the service cost at most 4,500 tokens together.",
    "work.tools.loaded": "The tools of the work loop are marked as always loaded.",
    "work.finish.again": "A second work_finish says how and when the last run was handed in.",
    "work.search": "In search mode three tools find, describe and call the granted ones.",
    "work.search.direct": "In direct mode the granted tools are listed, without the search.",
    "work.search.connection": "?tools=search sets the mode of a connection.",
    "work.search.rank": "The search ranks by words in name, title and description.",
    "work.search.bytes": "A search returns at most 8 KB.",
    "work.ask":
      "An agent asks about its issue, and gets the answer by waiting or with its next run.",
    "work.arguments.lenient":
      "Numbers as text, and arrays of one value, are taken where only one value can be meant.",
    "work.arguments": "The work tools refuse arguments that are not valid.",
    "agents.seen": "Any request of an agent's key is a sign of life.",
  }),
  ...from("mcp-sessions", {
    "agents.mcp.session": "A client of a legacy version starts, uses and ends a session.",
    "agents.mcp.session-key": "A session does not exist for another key.",
    "agents.mcp.session-bounds":
      "The number of sessions is limited, and the least recently used one is evicted.",
    "agents.mcp.session-busy":
      "A session that waits for a response counts as used, so other sessions are evicted first.",
    "agents.mcp.plain": "A plain request gets the reply that the SDK's own transports give.",
    "agents.mcp.version": "The endpoint and the client report the package's version.",
    "agents.mcp.session-plain": "A request without progress gets its response as plain JSON.",
    "agents.mcp.session-cancelled":
      "A request that is cancelled, or whose session ends, finishes immediately.",
    "agents.mcp.session-idle":
      "A node releases an unused session and rebuilds it on its next request.",
    "agents.mcp.session-rebuilt": "A session continues after a restart and at every node.",
    "agents.mcp.session-forged": "An id that was not issued to the calling key is unknown.",
    "agents.mcp.session-ended": "A session ended by DELETE stays unknown at every node.",
    "agents.mcp.session-rotated":
      "An id is valid while the master key under which it was issued exists.",
    "agents.mcp.key-deleted": "Sessions and streams end with their key.",
    "agents.mcp.subscriptions": "The number of a key's streams of changes is limited.",
  }),
  ...from("stdio-bridge", {
    "agents.bridge.messages": "The bridge passes messages in both directions.",
    "agents.bridge.session": "The bridge starts a new session if the server lost the old one.",
    "agents.bridge.end": "The bridge exits when its input ends, after the last response.",
    "agents.bridge.refused":
      "If the bridge cannot continue, it prints the reason to stderr and exits with the matching code.",
    "agents.bridge.unreached": "The bridge retries a server that is not reachable.",
    "agents.bridge.restart": "The bridge continues with a server that was killed and restarted.",
    "agents.bridge.cancelled": "The bridge drops a request cancelled before it was sent.",
    "agents.bridge.initializing":
      "A message that the host sends before the response to initialize waits for that response.",
    "agents.bridge.refusal": "The response to a refused message is the server's sentence.",
    "agents.bridge.renewals":
      "A message for which every new session is lost fails after several attempts.",
    "agents.bridge.once": "A call in flight when the server dies fails and is not repeated.",
  }),
  ...from("host-plugins", {
    "agents.plugins.parse": "Each host's configuration can be parsed and points to the endpoint.",
    "agents.plugins.names": "The tools and commands that plugins name exist.",
    "agents.plugins.hooks-renew":
      "A hook for Claude Code renews the session's run, at most every 30 seconds.",
    "agents.plugins.hooks-stop": "A hook stops Claude Code when its run has to stop.",
    "agents.plugins.hooks-own":
      "The hooks learn only from the service's own tools which run the session holds.",
    "agents.plugins.hooks-remind":
      "A hook reminds Claude Code once to hand in the run that it holds.",
    "agents.plugins.hooks-before":
      "In Claude Code, Codex, Gemini CLI and opencode the tool after a pause does not run.",
    "agents.plugins.hooks-no-news":
      "Without news a hook lets tools run until the last known lease ends, and stops them after that.",
    "agents.plugins.hooks-poll": "The poll of the hooks ends with its host and with its session.",
    "agents.plugins.hooks-session":
      "A session that starts, resumes or was compacted gets its run, issue and loop.",
    "agents.plugins.hooks-ended":
      "A run that ended otherwise than by the session's hand-in stops the session, unless a runner holds it.",
    "agents.plugins.hooks-silent": "Hooks without a key, a server or a run do nothing.",
  }),

  ...from("mcp-servers", {
    "mcp.admins": "A caller below Admin, or with a key bound to projects, cannot manage servers.",
    "mcp.unknown": "An unknown server is a NotFound error.",
    "mcp.404": "A server that is not installed is a 404 on each of its routes.",
    "mcp.list": "The list of installed servers is complete, oldest first.",
    "mcp.bearer": "A session cookie is a 401 under /api/mcp; its token is accepted.",
  }),
  ...from("catalog", {
    "mcp.catalog.200": "The catalog is listed completely in the order of its files.",
    "mcp.catalog.category": "The catalog can be filtered by category; any other value is rejected.",
    "mcp.catalog.entry": "A single entry has its manifest and variables.",
    "mcp.catalog.404": "An unknown entry is a 404.",
    "catalog.entries": "Entries of Owners follow the entries of the host; each has its source.",
    "catalog.own.routes":
      "An Owner manages entries through the API, over a confidential connection.",
    "catalog.own.create": "An Owner's entry can be installed and is never verified.",
    "catalog.own.invalid": "An invalid entry is refused with its field.",
    "catalog.own.variables":
      "A variable that a loader or a runtime reads is refused with its path.",
    "catalog.own.paths":
      "The sandbox of an Owner's entry opens only folders that the operator allows, even if a variable names them.",
    "catalog.own.locked": "The dependencies of an Owner's entry are locked when it is created.",
    "catalog.own.taken": "An entry with an id that is in use is refused.",
    "catalog.own.put":
      "A replaced entry applies to an installed server when the server is updated to it.",
    "catalog.own.in-use": "Entries of the host and installed entries are protected.",
    "catalog.own.events": "Each change of the catalog is an event.",
    "catalog.own.owner": "Only an Owner that is bound to no project can change the catalog.",
    "catalog.own.hidden": "An entry of the host hides an Owner's entry with the same id.",
    "server.catalog": "An invalid catalog file stops the start with its name and the field.",
  }),
  ...from("runtimes", {
    "mcp.runtime": "A runtime that is not detected has neither a version nor a path in the report.",
    "probe.all": "The probe finds Python with its version, and pipx.",
    "probe.none": "The probe finds only Node.js where nothing else is installed.",
    "probe.module": "The probe finds pipx as a module of Python, under Python's other name.",
    "probe.failing": "The probe does not report a program that fails.",
    "probe.timeout": "The probe waits at most three seconds.",
  }),
  ...from("installed-servers", {
    "mcp.install.fields": "An installed server is disabled and shows no value.",
  }),
  ...from("install", {
    "mcp.install.201": "An install returns 201 with the server, its URL and no value.",
    "mcp.install.starts-nothing": "An install neither prepares nor starts a program.",
    "mcp.install.names":
      "The name is the entry's id, or the first free one of <id>-2, <id>-3 and so on.",
    "mcp.install.name-taken": "A given name that is taken is refused.",
    "mcp.install.unknown-entry": "An entry that the catalog does not have is refused.",
    "mcp.install.unknown-env": "A variable that the entry does not declare is refused.",
    "mcp.install.missing-env": "A required variable that is absent, null or empty is refused.",
    "mcp.install.bad-value": "A value with a line end or NUL is refused.",
    "mcp.install.redacted": "A caller in process may give values as redacted strings.",
    "mcp.install.forbidden-path":
      "A path inside or above the data directory is refused, and an option instead of an argument.",
    "mcp.install.runtime-missing": "A server whose runtime is not detected is refused.",
    "mcp.install.idempotent": "A repeated request returns the same server, even if it has changed.",
    "mcp.install.event":
      "The event names the user who installed the server, and is part of the change's transaction.",
    "mcp.install.refusals": "Over HTTP each refusal of an install has its problem.",
    "mcp.install.values": "A response never repeats a value that it refuses.",
  }),
  ...from("update", {
    "mcp.update": "Over HTTP an omitted field stays, values merge, and null removes one.",
    "mcp.update.values":
      "Values merge, null removes an optional one, and the next connection uses them.",
    "mcp.update.same": "An update that changes nothing closes nothing and emits no event.",
    "mcp.update.refused": "A refused update changes nothing.",
    "mcp.update.version": "The version changes only if the verification of the newer one succeeds.",
    "mcp.update.version-uninstalled": "An uninstall cancels an update to a newer version.",
    "mcp.update.version-package": "The package of an update is retained while it is verified.",
    "mcp.update.version-concurrent":
      "An update of the version preserves other changes made in the meantime.",
  }),
  ...from("verify", {
    "mcp.verify.200": "A verify returns the response time and the tools in the server's order.",
    "mcp.verify.ok": "A successful verify names the tools in order and the time.",
    "mcp.verify.fresh": "A verify starts a separate process, once, even if a connection is warm.",
    "mcp.verify.error":
      "A failed verify returns the reason and no capabilities, and sets the status error.",
    "mcp.verify.back": "A verify that succeeds after error restores the former status.",
    "mcp.verify.nested": "A definition that is nested too deeply is invalid.",
    "mcp.verify.outdated":
      "The result of a verify during which the server changed is returned and not saved.",
    "mcp.verify.timeout": "A server has 30 s to respond, including to tools/list.",
    "mcp.verify.uninstalled": "An uninstall cancels a verify and stops everything it started.",
    "mcp.verify.uninstalled-waits":
      "An uninstall returns after the processes of pending verifies have exited.",
    "mcp.verify.arguments": "A verify warns of secrets that the entry passes as arguments.",
    "mcp.verify.prepares": "A verify prepares the package first, under its own limit.",
    "mcp.verify.target":
      "A program gets its variables, arguments and folder; a URL gets its values encoded.",
    "mcp.verify.sandbox-missing":
      "A verify whose sandbox the host does not have is refused and starts nothing.",
    "mcp.verify.hang-up": "A verify stores its result whether its caller waits or not.",
    "mcp.verify.started":
      "A verify that runs in the background returns the server, or a refusal that needs no connection.",
    "mcp.verify.shared":
      "Concurrent verifies of one server share one verification, unless they accept tools.",
    "mcp.verify.accept": "A verify reports changed tools and accepts them only on request.",
  }),
  ...from("preparation", {
    "mcp.prepare.events":
      "Events report the start and the result of the preparation for a verify and an enable.",
    "mcp.prepare.remote": "A remote server is not prepared, and a local program has no package.",
    "mcp.async.verify":
      "With Prefer: respond-async, a verify responds with 202 and the server, and the result follows.",
    "mcp.async.enable": "With Prefer: respond-async, an enable responds with 202 and the server.",
    "mcp.async.hang-up":
      "A verify whose client disconnects stores its result, and a second client waits for it.",
  }),
  ...from("enable-and-disable", {
    "mcp.enable.204": "Enable and disable return 204, however often they are called.",
    "mcp.status.idempotent": "Enable and disable are idempotent and emit one event per change.",
    "mcp.status.from-error":
      "Enabling a server in error retries it, and disabling it sets the status disabled.",
    "mcp.connect.slot":
      "A connection that stops accepts no calls, closes, and is never used again.",
    "mcp.connect.background": "Enable opens the connection in the background.",
    "mcp.drop.closed":
      "Disable and uninstall close all connections at the same time, and wait until they are closed.",
    "mcp.drop.opening": "Disable ends a connection that is opening and fails its waiters.",
    "mcp.drop.enable": "Enable after an error closes the connections opened before.",
  }),
  ...from("uninstall", {
    "mcp.uninstall": "An uninstall removes connection, folder and package and frees the name.",
    "mcp.uninstall.204": "An uninstall returns 204, and a second one 404.",
    "mcp.uninstall.wiped": "An uninstall leaves no sealed value in a file of the database.",
  }),
  ...from("pinned-tools", {
    "mcp.pins.first": "The first connection records the definitions as a verify does.",
    "mcp.pins.changed":
      "A changed or new tool is withheld from lists and calls, and an event reports it.",
    "mcp.pins.accept": "Only an acceptance makes a changed or new tool available.",
    "mcp.pins.back": "A tool that matches its accepted definition again is available again.",
    "mcp.pins.gone":
      "A tool that its server no longer lists is in no agent's list and has the state gone.",
    "mcp.pins.announced":
      "The service reads a change that the server announces before it sends the next call.",
    "mcp.pins.flood":
      "A server that announces changes without end is listed a few times a second; only its own calls wait.",
    "mcp.pins.reconnect": "A new connection compares the definitions before its first call.",
    "mcp.pins.twice": "If several tools have the same name, the first one counts.",
  }),
  ...from("acceptance", {
    "mcp.accept.digest":
      "Each tool has the digest of its repaired definition, and the server has a digest of all tools.",
    "mcp.accept.tools": "Tools are accepted as they were shown, and gone ones are removed.",
    "mcp.accept.differs":
      "With a different digest nothing is accepted, and the refusal names the tool.",
    "mcp.accept.invalid": "No acceptance makes an invalid tool available.",
    "mcp.accept.recorded":
      "verify?accept=true accepts only tools that were recorded before the request.",
    "mcp.accept.tools-digest":
      "verify?accept=<toolsDigest> accepts exactly the tools with that digest, or nothing.",
    "mcp.accept.unseen":
      "No definition is served before it was accepted, however often a server changes its tools.",
    "mcp.accept.200": "Over HTTP, accept, block and unblock return the server's tools.",
    "mcp.block": "A blocked tool is withheld, regardless of what its server lists.",
    "mcp.unblock": "An unblocked tool has the state of its definitions.",
    "mcp.block.call": "A block ends the calls of the tool that are in flight.",
    "mcp.block.limit": "At most 2,000 tools that the server does not list can be blocked.",
    "mcp.tokens":
      "A tool, a server, a verify, an access entry and an agent's list have their tokens.",
  }),
  ...from("tool-definitions", {
    "mcp.definitions.repaired": "A definition is repaired if its meaning stays the same.",
    "mcp.definitions.invalid": "A definition that breaks a protocol version is invalid.",
    "mcp.definitions.size": "A definition of more than 64 KiB is invalid.",
    "mcp.definitions.alone": "Only the invalid definition is withheld, and it is reported.",
    "mcp.definitions.limits": "The first 2,000 tools and 8 MiB of a server's list are used.",
    "mcp.definitions.upgrade": "An upgrade shows no stored definition as changed.",
    "mcp.definitions.output": "An output schema that validators cannot compile is invalid.",
    "mcp.definitions.sdk":
      "Every definition that is not invalid passes the schemas of the official SDKs.",
    "agents.mcp.definitions.unsupported":
      "Apps, tasks and the service's own members are removed from the definitions of servers.",
    "agents.mcp.definitions":
      "The official SDKs list the other tools, even if one definition of a server is invalid.",
  }),
  ...from("connections", {
    "mcp.connect.demand": "A call opens the connection, even if the server's tools are unknown.",
    "mcp.connect.demand-granted": "An agent without a grant opens no connection.",
    "mcp.connect.shared": "One warm connection serves all agents and calls.",
    "mcp.connect.once": "Concurrent callers open one connection.",
    "mcp.connect.isolation": "With isolation agent, each agent has its own connection and folder.",
    "mcp.connect.isolation-first":
      "The service reads the tools of a server with isolation agent when it is enabled.",
    "mcp.connect.idle": "An unused connection closes after 5 minutes.",
    "mcp.connect.restart": "A crashed server restarts after 0.5 s, then after twice the delay.",
    "mcp.connect.given-up":
      "After five failures within a minute the server is in error, and a verify restores it.",
    "mcp.connect.given-up-slow":
      "The service gives up on a server that hangs at its start five times in a row.",
    "mcp.connect.given-up-not": "Failures that are far apart do not lead to error.",
    "mcp.connect.unlisted": "A connection whose tools cannot be read again is replaced.",
    "mcp.connect.hanging-list": "A tool list that never arrives does not block calls forever.",
    "mcp.failures.delay": "The first delay is half a second, and each next one is twice as long.",
    "mcp.failures.clock": "A clock that is set back does not extend a delay.",
    "mcp.failures.window":
      "The fifth failure within a minute is the last; older ones do not count.",
    "mcp.failures.in-vain": "The fifth attempt in a row without a connection is the last.",
    "mcp.failures.generation": "A changed server starts with no failures.",
    "mcp.nodes.drop": "A change on one node closes the connections of the others.",
    "mcp.nodes.drop-enabled": "Enable after an error closes the connections of other nodes.",
    "mcp.nodes.drop-each": "A server that is slow to stop delays no other server.",
    "mcp.nodes.files":
      "Every node prepares the package of an enabled server, and removes what an uninstalled one has on it.",
    "mcp.update.no-late-drop":
      "The event of a change does not close a connection opened after the change.",
  }),
  ...from("servers-with-state", {
    "mcp.state.one":
      "One node runs the process of a server with state, and calls of all nodes reach it.",
    "mcp.state.other-node":
      "Without the URL of the node that runs it, calls on other nodes are refused with the reason otherNode.",
    "mcp.state.once": "A process starts after the one before has exited.",
    "mcp.state.stop": "A node that stops in order leaves the process to the next node.",
    "mcp.state.lost":
      "A node that cannot renew its lease stops the process before another node starts it.",
    "mcp.state.killed":
      "After the node was killed, calls are refused with the time of the next attempt, until another node starts the process.",
    "mcp.state.fence": "The node that runs the process judges run and grant again.",
    "mcp.state.effects": "A call that happens once does so on any node.",
    "mcp.state.hmac": "A node accepts a request of another node once, and no other request.",
  }),
  ...from("outages", {
    "mcp.outage.heals":
      "A server that is out is tried again after 30 s, 1, 2, 4 and 5 minutes, and its first success enables it.",
    "mcp.outage.hour": "A server that is unstable for an hour is enabled in the end.",
    "mcp.outage.crashes":
      "If one agent's calls crash a server, it serves all agents again after 30 s.",
    "mcp.outage.calls":
      "A remote server that five calls did not reach is out until it lists its tools.",
    "mcp.outage.nodes":
      "Only one node makes each attempt, and the first success on any node ends the outage.",
    "mcp.outage.restart": "A new node retries servers that are out when they are due.",
    "mcp.outage.clock": "A wrong clock delays an attempt by at most 6 minutes.",
    "mcp.outage.agent": "With isolation agent, an agent's failures refuse only that agent's calls.",
    "mcp.outage.now": "Verify, enable and a change of a server that is out try it immediately.",
    "mcp.outage.verify":
      "A failed verify starts the outage of an enabled server, and does not change an existing outage.",
    "mcp.outage.not": "A server that was disabled before its error is not tried again.",
    "mcp.outage.disabled": "A server that is disabled during an attempt stays disabled.",
    "mcp.outage.bounded": "A node retries at most three servers at the same time.",
    "mcp.outage.listed":
      "The tools of a server that is out stay listed, and a call fails immediately with the times.",
    "mcp.outage.unlisted": "A server that never listed its tools has them after its outage.",
    "mcp.outage.shown": "An installed server shows the start and the reason of its outage.",
    "agents.mcp.out":
      "Over MCP, the tools of a server that is out stay listed without notification.",
  }),
  ...from("stdio-servers", {
    "connector.stdio.list": "The connector lists tools with every property, in order.",
    "connector.stdio.call": "The connector returns results of known and unknown kinds unchanged.",
    "connector.stdio.revisions": "A server may speak any supported protocol version.",
    "connector.stdio.newest": "A server may speak only the version 2026-07-28.",
    "connector.stdio.noTools": "A server may have no tools.",
    "connector.stdio.chatty": "A server may write plain lines.",
    "connector.stdio.unknownIds": "A server may respond to requests that were never sent.",
    "connector.stdio.asksBack":
      "The connector responds to a ping of the server and refuses other requests.",
    "connector.stdio.pages": "The connector reads all pages of tools.",
    "connector.stdio.many": "The connector stops reading an endless list.",
    "connector.stdio.listChanged":
      "The connector reports changed tools, even if they were announced before the subscription.",
    "connector.stdio.environment": "A server sees no variable of the service's environment.",
    "connector.stdio.exited": "A failure reports the exit code and the last lines.",
    "connector.stdio.spawnFailed": "A failure reports that the program is missing.",
    "connector.stdio.silent": "A silent server times out.",
    "connector.stdio.garbage": "A failure distinguishes garbage from silence.",
    "connector.stdio.refused": "A failure reports why the server refused.",
    "connector.stdio.notMcp": "A failure reports a response that is not MCP.",
    "connector.stdio.stderr": "A reason contains the first 5 and the last 15 lines of stderr.",
    "connector.answered": "A response that is not exactly JSON-RPC ends its call.",
    "connector.stdio.listFailed": "A failure reports that the server could not list its tools.",
    "connector.stdio.listTimeout":
      "A failure distinguishes a missing tool list from a silent server.",
    "connector.stdio.rpcError": "A call fails with the server's JSON-RPC error.",
    "connector.stdio.progress": "The connector reports progress, which extends the time limit.",
    "connector.stdio.callTimeout": "A call that takes too long fails and is cancelled.",
    "connector.stdio.cancelled": "An interrupted call is cancelled at the server.",
    "connector.stdio.lost": "A call fails immediately when the server dies.",
    "connector.stdio.concurrent":
      "The connector matches the responses of concurrent calls to their calls.",
    "connector.stdio.large": "A server may send a message of 30 MB to a call that takes one.",
    "connector.stdio.tooLarge":
      "A response beyond the limit is skipped and not buffered; only its call fails, with its size.",
    "connector.stdio.endlessLine":
      "An endless line is not buffered, and its server is stopped once no call waits.",
    "connector.stdio.unread":
      "Messages that a server does not read are limited; further ones are refused and not sent.",
    "connector.stdio.largeCall": "A server that reads gets messages of any size and number.",
    "connector.stdio.floods": "The connector drains a flood on stderr.",
    "connector.stdio.floodsUnasked":
      "A server that writes too much unrequested output is slowed down, then stopped; other servers stay fast.",
    "connector.stdio.floodsOut": "A flood on stdout ends with the time limit of the connection.",
    "connector.stdio.end": "Closing a connection stops the server and removes its record.",
    "connector.stdio.group": "Closing a connection stops the whole process group.",
    "connector.stdio.orphans": "Closing a connection stops children whose leader is dead.",
    "connector.stdio.interrupted": "An interrupted connection attempt leaves no process.",
    "processes.abandoned": "The next start stops an abandoned process, even if it ignores SIGTERM.",
    "processes.abandoned.early":
      "A program is recorded before it starts, and found without its leader.",
    "processes.abandoned.leaderless":
      "The next start stops an abandoned group whose leader is dead.",
    "processes.priority": "A started program yields to the service when the processors are busy.",
    "processes.left": "The next start stops processes that left their group, session and parent.",
    "processes.left.program":
      "Nothing survives an uninstall during a verify, a disable, SIGTERM, or SIGKILL with a restart.",
    "processes.living": "A start leaves processes alone while their service is running.",
    "processes.reused": "A start does not mistake another process with a reused pid for its own.",
    "processes.foreign": "A start leaves the processes of another host alone.",
    "connector.real.everything":
      "The everything server lists its tools, is called, and reports progress.",
    "connector.real.canary": "A real server sees no variable of the service's environment.",
    "connector.real.filesystem": "The filesystem server reads a file in its folder.",
    "connector.real.memory": "The memory server stores data in its own folder.",
    "mcp.real.everything":
      "A real server is installed, verified, enabled, granted, called and uninstalled without remains.",
    "mcp.real.filesystem":
      "A variable of a real server can be a path, but not one inside the data directory.",
  }),
  ...from("sandboxes", {
    "sandbox.unvetted":
      "The program of an Owner's entry never runs direct unless QM_ALLOW_DIRECT is set.",
    "sandbox.choice": "The setting and the entry determine the sandbox, if the host has it.",
    "sandbox.direct":
      "Under direct a program has limits, and no process that it starts is left behind.",
    "sandbox.node.modules":
      "Under node no function of Node's modules reads or writes an undeclared file.",
    "sandbox.variables": "A variable that could change Node's permissions is refused under node.",
    "sandbox.allowed": "A path is allowed by its real path.",
    "sandbox.node":
      "Under node a program reads and writes nothing undeclared with Node's functions.",
    "sandbox.bubblewrap":
      "Under bubblewrap a program reaches no undeclared file, process or socket of the host, and its variables reach only the program.",
    "sandbox.bubblewrap.links": "A program starts below /bin, where that is a link.",
    "sandbox.bubblewrap.network": "Under bubblewrap a program has the network if it declares it.",
    "sandbox.docker":
      "Under docker a program runs in the image of its runtime, with its own mounts.",
    "sandbox.docker.refused": "A value that docker cannot read from a file is refused.",
    "sandbox.missing": "A missing sandbox is reported with the reason.",
    "sandbox.own":
      "A host's own spawner starts the programs, as in the example of docs/operating/sandboxes.md.",
    "mcp.sandbox": "An installed server shows its sandbox, and a remote server shows none.",
    "mcp.sandbox.422": "Over HTTP a verify without its sandbox is a problem that names it.",
    "mcp.sandbox.paths": "Declared paths have the values of variables.",
    "mcp.sandbox.forbidden":
      "A declared path that is not absolute, or is above the data directory, fails the verify.",
    "mcp.sandbox.declared": "Every built-in program declares its needs.",
  }),
  ...from("remote-servers", {
    "connector.http.bundled":
      "The built program reaches remote servers, or reports why it does not.",
    "connector.http.call": "The connector lists and calls tools with the headers of the target.",
    "connector.http.credentials": "A URL may have a name and a password.",
    "connector.http.progress": "The connector reports progress, which extends the time limit.",
    "connector.http.redirect.same": "The connector follows a redirect within the origin.",
    "connector.http.retry-after": "A 429 reports its Retry-After.",
    "connector.http.cancelled": "An interrupted call aborts its request.",
    "connector.http.refused": "A failure reports a refused connection.",
    "connector.http.status": "A failure reports the HTTP status.",
    "connector.http.unauthorized": "A failure reports that the server requires authorization.",
    "connector.http.scope": "A failure reports the scopes that the server requires.",
    "connector.http.redirect.other": "The connector does not follow a redirect to another origin.",
    "connector.http.private":
      "A name that resolves to a private or loopback address is refused unless it is allowed.",
    "connector.http.tls": "A failure reports the problem with the certificate.",
    "connector.http.endless": "A body that never ends does not block the connector.",
    "connector.http.tooLarge": "A response of more than 32 MiB fails only its call, with its size.",
    "connector.http.notMcp": "A failure reports a response that is not MCP.",
    "connector.http.badVariables": "A failure reports an invalid URL or header.",
    "connector.http.session.renewed": "A session that the server forgot is replaced silently.",
    "connector.http.session.changed": "A session is not replaced if the tools have changed.",
    "connector.http.session.lost": "The connection closes if no new session is possible.",
    "connector.http.session.ended": "A session ends with its connection.",
    "connector.http.lost": "A call whose response is lost fails immediately.",
    "connector.sse.call": "The connector lists and calls tools over SSE.",
    "connector.sse.tooLarge":
      "An event of more than 32 MiB is skipped; only its call fails, with its size.",
    "connector.sse.lost": "An SSE connection closes when its stream ends.",
    "connector.sse.status": "A failure over SSE reports the HTTP status.",
    "connector.sse.refused": "A failure over SSE reports a refused connection.",
  }),
  ...from("packages", {
    "packages.npm":
      "npm packages are installed once, at the exact version, with lock file, without scripts.",
    "packages.npm.together": "Several services may prepare a package at the same time.",
    "packages.integrity": "A package that does not match the catalog's integrity is refused.",
    "packages.npm.missing": "A package that does not exist fails with npm's message.",
    "packages.npm.program": "A package without the program, or with one outside of it, is refused.",
    "packages.npm.single": "The only program of a package is found by the name of the package.",
    "packages.npm.time": "An installation that takes too long is stopped and leaves nothing.",
    "packages.npm.before": "Dependencies are resolved as of the date of the entry.",
    "packages.npm.foreign":
      "A dependency by repository, address or file is refused, and git is not started.",
    "packages.npm.tree": "Every package of a tree is from the registry and has an integrity.",
    "packages.python.before": "Pip gets the date as of which dependencies are resolved.",
    "packages.pipx.without": "An entry for pipx runs with Python where pipx is missing.",
    "packages.retain": "A package stays while a server uses it.",
    "packages.npm.environment": "npm sees only its own settings from the service's environment.",
    "packages.npm.none": "A missing npm is reported.",
    "packages.leftovers":
      "A start removes the leftovers of a dead service, and nothing of a live one.",
    "packages.npm.real": "The npm registry delivers a package of the catalog.",
    "packages.python": "Each Python package is installed in its own virtual environment.",
    "packages.python.missing": "Python packages require Python.",
    "packages.python.failed": "A failure contains pip's message.",
    "packages.python.unreachable": "An index that cannot be reached is reported in one line.",
    "packages.python.integrity":
      "A Python package with an integrity is refused: it cannot be checked.",
    "packages.local": "A local program is found on PATH or at its path.",
    "packages.folders.removed":
      "A server's folder is removed regardless of the modes, names and depth of its files.",
    "packages.folder":
      "The folders of servers are private, shared or per agent, and can be removed.",
    "packages.forbidden":
      "A path inside or above the data directory is forbidden, in any notation.",
  }),
  ...from("grants", {
    "mcp.access":
      "Over HTTP the access list has one entry per registered agent and changes in one transaction.",
    "mcp.access.default":
      "The access list contains each registered agent, by id, without a grant by default.",
    "mcp.access.pages": "The access list of a server has pages.",
    "mcp.access.put": "PUT changes the named agents, registers them, and returns all entries.",
    "mcp.access.tools":
      "Omitted tools do not change, null allows all, [] allows none, and a revocation resets them.",
    "mcp.access.limits":
      "Omitted limits of an access entry do not change, null clears them, and a revocation resets them.",
    "mcp.access.readOnly":
      "A read-only grant lists and allows only tools whose accepted definition has readOnlyHint: true.",
    "mcp.access.callsPerMinute":
      "Calls beyond callsPerMinute are not sent: a result with isError has the delay.",
    "mcp.access.maxConcurrentCalls":
      "Calls beyond maxConcurrentCalls are not sent, until a call of the agent ends.",
    "agents.mcp.limits":
      "Over REST and /mcp, a call beyond a limit is a result with isError that has the delay.",
    "mcp.access.twice": "The same agent twice, and an invalid agent id, are refused as a whole.",
    "mcp.access.none": "An install grants no access, and an uninstall removes all grants.",
    "mcp.access.event": "An event names the agents that were granted or revoked.",
  }),
  ...from("import", {
    "mcp.import.200": "An import reports each server in the order of the configuration.",
    "mcp.import.vscode":
      "An import accepts servers and inputs; a value that the client fills in later is missing.",
    "mcp.import.toml": "An import reads Codex's TOML, and a refusal contains no value of it.",
    "mcp.import.codex": "An import reads headers and variables as Codex names them.",
    "mcp.import.registry": "An Owner imports a server.json of the registry as a catalog entry.",
    "mcp.import.registry.owner": "A server.json needs an Owner.",
    "mcp.import.registry.package": "A package of npm or PyPI becomes a program.",
    "mcp.import.registry.remote": "A remote becomes a remote server with its headers.",
    "mcp.import.registry.inputs": "Inputs have fixed values, or become variables of the entry.",
    "mcp.import.registry.choice":
      "The first usable package, else the first usable remote, is used.",
    "mcp.import.registry.refused": "Parts that cannot be used are named with a sentence each.",
    "mcp.import.names": "An import adapts a name to the rules, and adds a number if it is taken.",
    "mcp.import.runtime": "An import reports a missing runtime.",
    "mcp.import.400": "A body that is not a configuration is a 400.",
    "mcp.import.match":
      "An import recognizes packages by every launcher, with and without a version.",
    "mcp.import.foreign": "An import does not mistake anything else for a package.",
    "mcp.import.url": "An import compares URLs without a trailing slash.",
    "mcp.import.values": "An import extracts variables from headers, URLs and arguments.",
    "mcp.import.options": "An import finds options by name at any position.",
    "mcp.import.invalid": "A server with neither a command nor a URL is not installed.",
  }),
  ...from("authorization", {
    "mcp.oauth.begin": "An Admin gets a URL for the browser with a state that cannot be guessed.",
    "mcp.oauth.which":
      "Only a remote server without a filled Authorization header can be authorized.",
    "mcp.oauth.flow": "Discovery, registration and consent turn a 401 into a usable server.",
    "mcp.oauth.event":
      "An event names the user who started the authorization, and the next connection has the token.",
    "mcp.oauth.state-reused": "A state works once.",
    "mcp.oauth.state-unknown": "An unknown state is refused.",
    "mcp.oauth.state-expired": "A state works for 10 minutes.",
    "mcp.oauth.state-many": "The number of pending authorizations of a server is bounded.",
    "mcp.oauth.callback-once": "A second visit or a HEAD of the callback changes nothing.",
    "mcp.oauth.page": "The callback page escapes everything and runs no script.",
    "mcp.oauth.pkce": "S256 binds the code to its verifier.",
    "mcp.oauth.issuer": "The service refuses a response of another issuer before it uses the code.",
    "mcp.oauth.mix-up": "Over HTTP a wrong issuer, or a required one that is missing, is refused.",
    "mcp.oauth.redirect-uri": "The redirect URI is derived exactly from the public URL.",
    "mcp.oauth.client-document":
      "Without registration, the Client ID Metadata Document identifies the service.",
    "mcp.oauth.registered": "Two variables configure a client that was registered manually.",
    "mcp.oauth.no-metadata": "Metadata that is missing, foreign or insecure is reported.",
    "mcp.oauth.private":
      "No request goes to an authorization server at a private or loopback address.",
    "mcp.oauth.token-redirect": "The service does not follow a redirect of the token endpoint.",
    "mcp.oauth.bad-answers": "A malformed token response yields no tokens and is reported.",
    "mcp.oauth.sealed": "States, verifiers and tokens are sealed like secrets.",
    "mcp.oauth.origin": "A token goes only to the origin it was issued for.",
    "mcp.oauth.unauthorized": "A 401 of a server is reported as such, with the next step.",
    "mcp.oauth.refresh": "Tokens are refreshed in time, and the refresh interrupts no call.",
    "mcp.oauth.refresh-pins":
      "The connection with the new token compares the tools, and a drop also closes the old connection.",
    "mcp.oauth.refresh-shared": "Concurrent callers share one refresh.",
    "mcp.oauth.refresh-nodes": "Nodes share one refresh.",
    "mcp.oauth.refresh-early": "A valid token is used while its refresh fails.",
    "mcp.oauth.refresh-later": "A failed refresh is not repeated by each call.",
    "mcp.oauth.refresh-fails": "Failures other than invalid_grant remove no tokens.",
    "mcp.oauth.invalid-grant": "invalid_grant removes the tokens and is reported.",
    "mcp.oauth.renewal":
      "Over HTTP 20 callers cause one request, a 500 keeps the tokens, and invalid_grant removes them.",
    "mcp.oauth.refused-token": "A token that is refused before it expires is refreshed once.",
    "mcp.oauth.refused-consent":
      "Without consent, the refusal for agents explains that only a person can help.",
    "mcp.oauth.refused-call":
      "A token that is rejected during a call is refreshed, and the call is sent again.",
    "mcp.oauth.scope": "The next authorization requests the scopes that a call lacked.",
    "mcp.oauth.no-refresh": "Without a refresh token, a token is used until the server refuses it.",
    "mcp.oauth.uninstall": "An uninstall removes tokens and pending authorizations.",
    "mcp.oauth.scrubbed": "A token that a server repeats is replaced.",
    "mcp.oauth.canary":
      "No response, event or log line contains a token, code, verifier or client secret.",
  }),

  ...from("event-stream", {
    "events.200": "The stream sends headers immediately, then each event with id, kind and object.",
    "events.now":
      "Without Last-Event-ID the stream starts with the next event and sends each change once.",
    "events.400": "An unknown id, kind or project is refused before the stream starts.",
    "events.head": "HEAD returns only the headers.",
    "events.resume": "With Last-Event-ID the stream continues after that event and misses none.",
    "events.since": "With `since` the stream starts with the retained events of that time.",
    "events.recent": "GET /api/events/recent lists the newest events that the caller may see.",
    "events.filter": "The stream can be filtered by project and by kinds, including families.",
    "events.keep-alive": "A comment line arrives every 15 seconds.",
    "events.ends.key": "The stream ends when its key does.",
    "events.ends.session": "The stream ends when its session does.",
    "events.session-idle": "An open stream does not extend its session.",
    "events.ends.immediately":
      "Deleting a key ends its streams immediately, and ending a session its streams and its tokens' streams.",
    "events.ends.expiry": "A stream ends when its key expires.",
    "events.ends.elsewhere":
      "A stream ends within 15 seconds of the end of its session on another node.",
    "events.idle": "The idle streams of a key share one check in storage every 15 seconds.",
    "events.ends.shutdown": "The stream ends when the server starts to shut down.",
    "events.other-node": "A change on another node arrives within half a second.",
    "events.retry": "A stream that failed continues at its position.",
  }),
  ...from("event-kinds", {
    "events.projects":
      "A bound key receives events of its projects, and only Admins receive events about keys and agents.",
    "events.admin": "Only unbound Admins receive events about keys and agents.",
    "events.bound":
      "A bound caller receives only events of its projects, regardless of the filter.",
    "events.rolled-back": "A change that is rolled back has no event.",
  }),
  ...from("retention", {
    "events.retention":
      "Events are retained for the configured days, and a stream cannot resume from older ones.",
    "housekeeping.runs": "Ended runs are retained for 90 days, events for 30.",
    "housekeeping.leases": "Housekeeping records expired leases.",
    "housekeeping.snoozes": "Housekeeping removes snoozes that are over.",
    "housekeeping.sessions": "Housekeeping removes expired sessions.",
    "housekeeping.clock.question":
      "A question that was asked while the clock was ahead expires on time.",
    "housekeeping.clock.lease":
      "A lease that was granted while the clock was ahead expires on time, once the clock is set.",
    "housekeeping.clock.start":
      "After a start with a clock that may be ahead, nothing is removed by age for an hour.",
    "housekeeping.clock.behind":
      "A start with a clock behind the newest stored change logs a warning.",
    "housekeeping.run": "Housekeeping runs immediately and every minute.",
  }),

  ...from("webhook", {
    "webhooks.create":
      "A creation returns the secret once, and the shown URL ends after the first segment of its path.",
    "webhooks.access": "Only an Admin that is bound to no project manages webhooks.",
    "webhooks.update": "A PUT changes the given fields, and the shown URL changes nothing.",
    "webhooks.audit": "The audit log has the changes of webhooks, without URLs and secrets.",
    "webhooks.limit": "There are at most 50 webhooks.",
    "webhooks.delete": "A deletion removes secrets and deliveries.",
    "webhooks.disabled":
      "Nothing is sent or queued while a webhook is disabled, and a replay sends it later.",
    "webhooks.replay": "A replay sends retained events again, from a time or after an event.",
    "webhooks.retry": "A retry is due now, and is refused while an attempt is in flight.",
    "webhooks.test": "A test is sent once, now, and its delivery is the response.",
    "webhooks.idempotent": "A repeated creation with its Idempotency-Key has no secret.",
    "webhooks.https": "Secrets and URLs of webhooks require a confidential connection.",
  }),
  ...from("subscription", {
    "webhooks.kinds": "Kinds that no webhook gets are refused.",
    "webhooks.deliver": "A webhook gets the events after its creation, with their issues.",
    "webhooks.project": "With a project a webhook gets what a Viewer of the project sees.",
    "webhooks.attention": "The kind attention is what waits for a person.",
  }),
  ...from("requests-of-webhooks", {
    "webhooks.request": "A request has the headers of Standard Webhooks.",
    "webhooks.body": "Above 20,000 bytes the data of the event is left out.",
    "webhooks.text": "The format text is one sentence that a chat shows as it is.",
    "webhooks.secret": "A secret of the caller has 24 to 64 bytes.",
    "webhooks.rotate": "Both secrets sign for 24 hours after a rotation.",
    "webhooks.sealed": "A rotation of the master key encrypts URLs and secrets again.",
    "webhooks.verify": "A library of Standard Webhooks verifies every request.",
  }),
  ...from("addresses-of-webhooks", {
    "webhooks.url": "A URL that cannot be public is refused when it is set.",
    "webhooks.address": "An address that is not public is refused at each attempt.",
    "webhooks.rebinding": "The connection goes to an address that was checked.",
    "webhooks.own": "A webhook never connects to the service itself.",
    "webhooks.refused": "The program refuses local URLs without its setting.",
    "webhooks.redirect": "A redirect is a failure.",
    "webhooks.timeout": "A request takes at most 15 seconds.",
    "webhooks.send": "A request is a POST with the given headers and body.",
    "webhooks.errors": "Errors of requests do not name the path of the URL.",
  }),
  ...from("deliveries", {
    "webhooks.schedule":
      "A failure is tried again ten times in 76 hours, then the webhook is failing.",
    "webhooks.failing": "The event webhook.failing of a webhook is reported at most once a day.",
    "webhooks.retry-after": "Retry-After wins if it is longer, up to a day.",
    "webhooks.gone": "A response of 410 disables the webhook.",
    "webhooks.one-failure": "An event that fails keeps no other event back.",
    "webhooks.isolated": "A receiver that refuses one event gets the others within 5 seconds.",
    "webhooks.skipped": "Deliveries of deleted issues are skipped.",
    "webhooks.retention": "Deliveries are retained for 14 days, and events while one is pending.",
    "webhooks.response": "The stored text of a response is short and has no control characters.",
    "webhooks.nodes": "Nodes send each event once together.",
    "webhooks.claim": "An attempt whose node stopped is repeated after 60 seconds.",
    "webhooks.load":
      "A webhook has 4 first attempts and 4 retries in flight, and holds no other back.",
    "webhooks.bounded": "1,000 events are queued together, and a look reads 8 deliveries.",
    "webhooks.probe": "After 5 timeouts in a row a receiver gets one attempt a minute.",
    "webhooks.waiting": "A webhook for which too many deliveries wait is failing.",
    "webhooks.crash": "After kill -9 every event is received at least once.",
  }),

  ...from("roles", {
    "access.table": "Every route declares its permitted callers.",
    "access.matrix": "On every route, Viewers can read, Editors can write and Admins can manage.",
    "access.delete": "The service checks the role before it deletes anything.",
    "access.other-project": "Other projects are a 404 for a bound key on every route.",
    "issues.bound": "A caller bound to other projects finds no issue.",
  }),
  ...from("api-keys", {
    "keys.metrics": "A Metrics key reads the metrics and is forbidden everywhere else.",
    "keys.metrics.session": "A Metrics key starts no session.",
    "keys.metrics.create":
      "A Metrics key is created by an Admin, without projects, agent and user.",
    "keys.create": "A creation returns the key once, and the key authenticates as its principal.",
    "keys.create.invalid":
      "An agent's Admin, an agent with a user, and an empty list of projects are refused.",
    "keys.names": "A Viewer reads the names of keys by their ids.",
    "keys.names.200": "GET returns names by key, token and cookie.",
    "keys.roles": "No caller creates, sees or deletes a key above its own role.",
    "keys.manage": "An Admin that is bound to no project manages keys.",
    "keys.wrong": "Wrong, expired and revoked keys get the same response.",
    "keys.hashed": "The service stores only a hash of a secret.",
    "keys.last-used": "lastUsedAt is precise to the minute.",
    "keys.last-owner": "The last Owner key cannot be deleted.",
    "keys.bootstrap": "The first start creates one Owner key if no Owner key exists.",
    "keys.admin-key.bearer": "The host's own key is a bearer token, whatever its text.",
    "keys.admin-key": "The host's own key acts as an Owner, and can be neither listed nor deleted.",
  }),
  ...from("audit-log", {
    "audit.keys": "The creation and the deletion of a key are entries of the audit log.",
    "audit.sessions": "Sign-ins and the ends of sessions are entries of the audit log.",
    "audit.session": "A sign-in has its key and its client, although it is sent without a key.",
    "audit.servers": "Changes of a server name its settings and variables, never their values.",
    "audit.access": "Grants, revocations and limits of access name the agents.",
    "audit.tools": "Decisions about tools name the tools that they change.",
    "audit.authorization":
      "The authorization of a server belongs to the Admin and the key that started it.",
    "audit.settings": "Changes of agents, projects and catalog entries name the fields.",
    "audit.transaction": "A change that is rolled back has no entry.",
    "audit.read": "Only an Admin that is bound to no project reads the audit log.",
    "audit.retention": "Entries are retained for QM_AUDIT_DAYS.",
    "audit.list.200":
      "An entry has the key, the address behind proxies and the User-Agent of its request.",
    "audit.list.400": "Unknown actions and times are refused by name.",
    "audit.export": "As NDJSON, the audit log has every entry that matches.",
    "audit.secret": "By cookie, the audit log requires the session's secret.",
    "cli.webhook": "Webhooks are managed from the command line.",
    "cli.webhook.verify": "The signature of a request is verified from the command line.",
    "cli.audit": "The command line prints the audit log.",
  }),
  ...from("the-page", {
    "page.runs": "The runs of all agents are listed, filtered by state and opened by keyboard.",
    "page.runs.counted": "Numbers of runs on the overview lead to exactly these runs.",
    "page.run": "The page of a run shows its output as it comes, its facts and its timeline.",
    "page.run.overdue":
      "A run whose lease expired while it held its issue says so, and that the next heartbeat picks it up.",
    "page.run.linked": "The board and the list link the agent of a live run to the run.",
    "page.run.lines": "The log of a run is shown by line, whichever entries a line is split over.",
    "page.run.colors": "The log of a run has the colors of a terminal, and no other control.",
    "page.run.blocks":
      "Long entries of a host are folded, and open one by one or all together; long lines are cut until they are opened.",
    "page.run.gaps": "The log of a run shows where entries were dropped.",
    "page.run.search": "Search and streams go over a log in slices, and over new lines only.",
    "page.run.calls":
      "A call in the timeline of a run has its outcome and its reason, and opens with its error, arguments and result.",
    "page.run.effects":
      "A call whose reply was lost asks a person whether it happened, on the page of its run and of its issue.",
    "page.run.timeline":
      "The timeline of a run has words for each kind of entry; a call that happens once has its tool and its state.",
    "page.usage":
      "The run, the issue, the agent and the overview show tokens in and out, the known cost, and models.",
    "page.switcher": "The chosen project holds on every screen, until an address names another.",
    "page.switcher.new": "A project is created by an entry of its own, never by a new issue.",
    "page.projects": "Projects are listed, created, paused, changed and deleted on the page.",
    "page.projects.in-use": "The page says why a project with issues is not deleted.",
    "page.projects.viewer": "A Viewer sees projects and changes nothing.",
    "page.audit": "An Admin reads the audit log on the page, by kind and by actor.",
    "page.audit.hidden": "Users that may not read the audit log do not see it in the navigation.",
    "page.run.lost":
      "The board, the list and the issue say that the lease of the last run expired, and link to the run.",
    "page.server.calls":
      "The page of a server has a form for the record of its calls, the context that it gets, and the calls that happen once.",
    "dashboard.tips":
      "A tooltip names a button and its key, for the pointer and for the keyboard, inside the window; Escape ends it.",
    "page.run.download": "The log of a run is downloaded as text without colors.",
    "page.run.hidden":
      "The page of a run holds no connection while it is hidden, and reads what is new once it is visible.",
    "page.run.now":
      "The overview and the list of agents show the note and the last line of each live run, and that it stops, without a poll.",
    "page.run.last-line":
      "The page of an agent shows the note and the last line of what it does now.",
    "dashboard.early":
      "Keys reach what is on the screen as soon as it is there, and no command while a dialog for them loads.",
    "dashboard.picker":
      "Enter in a list that the server filters waits for the options of the typed text.",
    "dashboard.list.snippet": "A search in the list shows where it found its words.",
    "dashboard.find": "Text typed while a search starts is not lost.",
    "page.run.follow": "The log of a run follows its end until the user scrolls up.",
    "dashboard.page":
      "For a browser, every path outside of the API returns the page, under a strict policy.",
    "dashboard.reserved": "The page changes nothing for the API and for other clients.",
    "dashboard.accept":
      "A browser's media type is not case-sensitive and may have a weight; 0 refuses the page.",
    "dashboard.etag": "An unchanged page is a 304.",
    "dashboard.assets": "Files of the page are immutable and compressed.",
    "dashboard.compressed": "Every file that the page names is served compressed.",
    "dashboard.mounted": "A host decides whether the page is mounted, and at which prefix.",
    "dashboard.sign-in": "A person signs in with an API key, and signs out.",
    "dashboard.sign-in.link": "The token of a link does not stay in the URL.",
    "dashboard.expired": "After the end of a session nothing typed is lost.",
    "dashboard.session.port":
      "A program at another port of the host cannot act with the session's cookie.",
    "dashboard.session.tabs":
      "Tabs share the session; a browser without its secret asks to sign in again.",
    "dashboard.sign-out": "Sign-out leaves no data of the user for the next user, in any tab.",
    "dashboard.expired.other":
      "Signing in with another user's key reloads the page and sends no data of the first user.",
    "dashboard.sign-in.cookies": "The form reports two cookies of the session's name.",
    "dashboard.expired.comment": "A comment that waited for a new session is sent once.",
    "dashboard.expired.revoked": "A page whose key was revoked asks for another key.",
    "dashboard.together": "Two people on one issue see each other's changes and lose none of them.",
    "dashboard.gap": "A page whose last event is no longer retained reloads its data.",
    "dashboard.restart":
      "After a crash of the server the page shows the changes and keeps the typed text.",
    "dashboard.hostile.issue":
      "Texts, names, labels and files of an issue are shown as text, and fit.",
    "dashboard.hostile.tools": "Definitions of tools are shown as text, and fit.",
    "dashboard.palette":
      "Commands, issues and agents can be found by keyboard only, with the open screen first.",
    "dashboard.palette.search":
      "The palette finds issues by key, a part of a word and a comment, and marks the matches.",
    "dashboard.palette.status":
      "The palette shows the status of an issue that the page has loaded.",
    "dashboard.palette.recent":
      "Without a text the palette starts with the issues and agents that were opened last.",
    "dashboard.menu": "The account menu shows the version and links to the documentation.",
    "dashboard.unknown-address": "A URL without a screen shows a message.",
    "dashboard.unknown-parameters": "Unknown parameters of a URL are ignored and never sent.",
    "dashboard.font": "The page and the documentation ship their font.",
    "dashboard.keys.shown": "Keys are shown with the names on a keyboard.",
    "dashboard.keys.meaning": "A key means the same on every screen.",
    "dashboard.narrow": "On a narrow screen the bar has five screens, and More has the others.",
    "dashboard.updated": "A tab that is older than the server reports it.",
    "dashboard.connection": "The page shows whether it is up to date.",
    "dashboard.accessible": "Screens are accessible in both themes, on wide and narrow screens.",
    "dashboard.accessible.every":
      "Every screen passes axe in both themes, wide and narrow, scrolls in one direction and cuts no text off.",
    "dashboard.live": "Changes by others appear without a reload.",
    "dashboard.flood": "Many changes by others do not grow the page.",
    "dashboard.patch": "Changed issues enter, change and leave lists by their filters.",
    "dashboard.diff": "Two definitions are compared line by line, and no part of them is hidden.",
    "dashboard.create": "An issue can be created by keyboard on every screen.",
    "dashboard.drag": "A card can be dragged wherever the lifecycle allows it.",
    "dashboard.keyboard": "Issues can be reached, selected and moved by keyboard only.",
    "dashboard.keyboard.alone": "From sign-in to an answered question, no step needs a mouse.",
    "dashboard.filters": "Filters are in the URL.",
    "dashboard.filters.state":
      "Lists can be filtered by labels, pauses and readiness, and follow changes of these.",
    "dashboard.filters.none":
      "If the filters match no issue, the page shows them and removes them together.",
    "dashboard.views": "A list is saved as a view in the navigation, renamed, shared and deleted.",
    "dashboard.views.live":
      "A view that another person shares, renames or deletes changes without a reload.",
    "dashboard.views.unknown": "A view opens without the parameters that the page does not know.",
    "dashboard.filters.values":
      "The filter menu has a search; filters take several values, and chips exclude theirs.",
    "dashboard.address": "Unknown parameters of an address are ignored and not sent.",
    "dashboard.list.display": "A list has an order, groups and columns, which its address keeps.",
    "dashboard.patch.order": "Events move issues in lists by update and priority.",
    "dashboard.patch.values":
      "The page evaluates several and excluded values of filters, and the server evaluates files.",
    "dashboard.filters.remembered": "The last filters of a project are restored with it.",
    "dashboard.audit.programs":
      "The audit log names the browser and the system instead of the whole User-Agent.",
    "dashboard.webhooks":
      "A webhook is created, tested, paused, rotated and deleted on the page, which shows its secret once.",
    "dashboard.webhooks.deliveries": "Deliveries are filtered, retried and replayed on the page.",
    "dashboard.webhooks.hidden": "Only an Admin that is bound to no project sees webhooks.",
    "dashboard.sample-data":
      "An empty service shows how to fill it, then the project of the sample data and its removal.",
    "dashboard.first-steps":
      "An empty service shows three steps that tick themselves, and the command for sample data.",
    "dashboard.inbox.question": "A question is answered in the inbox, with an option or in words.",
    "dashboard.inbox.choose": "An option of a question is chosen by its number.",
    "dashboard.inbox.words": "Items describe what happened without names of the API.",
    "dashboard.inbox.request": "The text field of an item opens with its buttons in view.",
    "dashboard.inbox.review":
      "A review can be approved or sent back in the inbox by keyboard only.",
    "dashboard.inbox.mention":
      "A mention is in the inbox with its comment, and ends with a reply or Done, also by keyboard.",
    "dashboard.mentions.suggest":
      "Typing @ suggests agents and people, who are chosen by keyboard.",
    "dashboard.texts.files":
      "A file that is pasted, dropped or chosen for a comment or an answer is attached to the issue, and the text refers to it.",
    "dashboard.previews":
      "Pictures, texts, JSON, CSV and logs have previews that run nothing, and a text is read in parts.",
    "dashboard.mentions": "A mention in a text has the name of the person or agent.",
    "dashboard.inbox.groups":
      "Failures of one cause have a head with a button that retries all of them.",
    "dashboard.inbox.snooze": "An item is snoozed from a menu, also by keyboard.",
    "dashboard.inbox.mine": "A filter shows only the items of the user.",
    "dashboard.inbox.retry": "A failed issue can be retried or reopened in the inbox.",
    "dashboard.inbox.chain": "A blocked chain names its root, which can be assigned in the inbox.",
    "dashboard.inbox.effect":
      "Each call whose reply was lost is settled in the inbox, with a note.",
    "dashboard.inbox.tools":
      "Changed tools show what differs, and are accepted or blocked in the inbox.",
    "dashboard.inbox.refused": "A refused answer is shown again with its text.",
    "dashboard.inbox.filters": "Filters of the inbox are in the URL.",
    "dashboard.inbox.list":
      "The inbox is a list with an item beside it: what was asked, what was done, the files, a patch and the answer.",
    "dashboard.inbox.keyboard":
      "Items of the inbox are answered, approved, retried, sent back, selected, resolved, snoozed and assigned by keyboard only.",
    "dashboard.title":
      "The title of each screen is its own, with the number of items in the inbox.",
    "dashboard.notices":
      "One tab shows browser notifications of the chosen kinds, for all or the user's own issues, and none while the user looks at a tab.",
    "dashboard.undo.approve":
      "An approval is sent after 5 s or when the user leaves the page, and can be taken back until then.",
    "dashboard.undo.changes": "A request for changes that is taken back keeps its text.",
    "dashboard.undo.bulk": "A decision about several issues is taken back as one.",
    "dashboard.undo.assign":
      "An assignment is undone, unless someone acted in the meantime: then the page says who did what.",
    "dashboard.undo.move": "A move to another project is undone.",
    "dashboard.undo.label":
      "Labels are undone, also of several issues, and Ctrl+Z in a text belongs to the text.",
    "dashboard.undo.order": "A change that follows a held one is sent after it.",
    "dashboard.inbox.fast":
      "The inbox reads 5,000 items page by page, and renders only the rows in view.",
    "dashboard.bulk": "Selected issues get a status, a label and an agent together.",
    "dashboard.bulk.actions":
      "Selected issues are paused, resumed, moved to another project and deleted together.",
    "dashboard.end":
      "The page describes the effects of closing and deleting before it does either.",
    "dashboard.refused": "A refused change is undone and explained.",
    "dashboard.hostile": "Content by others is shown as text and does not break the layout.",
    "dashboard.tools": "Tools of all servers are found by words, server and state.",
    "dashboard.tools.effects": "The effects of a changed definition are described in words.",
    "dashboard.tools.review":
      "Several tools can be accepted together once the user has seen all changes.",
    "dashboard.tools.accept": "Only definitions that were shown are accepted.",
    "dashboard.tools.block": "Tools can be accepted, blocked and unblocked by keyboard only.",
    "dashboard.servers.calls":
      "A server's page shows its calls, with a histogram of their durations.",
    "dashboard.servers.change":
      "Variables, limits and version can be changed without showing a secret.",
    "dashboard.servers.import": "A pasted configuration is shown without values, then imported.",
    "dashboard.servers.authorize": "A person authorizes a remote server in another tab.",
    "dashboard.servers.install": "A catalog entry is installed with a form for its variables.",
    "dashboard.tools.tab": "A server's page lists its tools.",
    "dashboard.access": "Access to a server can be granted, limited and revoked by keyboard.",
    "dashboard.access.all": "A server can be granted to all agents, after a confirmation.",
    "dashboard.access.names": "Access shows agents by name, and marks servers in error.",
    "dashboard.errors": "Errors on the page contain no names of the API.",
    "dashboard.access.refused": "A refused grant is undone and explained.",
    "dashboard.access.matrix": "Agents and servers form a grid with arrow-key navigation.",
    "dashboard.servers": "A server can be found, verified, enabled and disabled by keyboard only.",
    "dashboard.agents": "Agents are listed with their current run, its lease and their queue.",
    "dashboard.agents.keyboard":
      "An agent can be reached, opened, paused and resumed by keyboard only.",
    "dashboard.agents.refused": "A refused pause is undone and explained.",
    "dashboard.overview": "The overview's numbers link to the lists that they count.",
    "dashboard.overview.agents":
      "Each agent has its runs, accepted reviews, failures, usage and median time, beside the time before.",
    "dashboard.overview.feed": "The overview shows the newest changes as they happen.",
    "dashboard.overview.project": "The overview can be restricted to a project.",
    "dashboard.sparklines":
      "The lists of agents and servers show charts of the newest runs and calls.",
    "dashboard.overview.empty": "The overview is readable without any data.",
    "dashboard.overview.roots":
      "Roots of blocked chains are sorted by the number of issues that they block.",
    "dashboard.prefix": "The page works when mounted below a prefix of another server.",
    "dashboard.live.opening":
      "A change between the first reads of a page and the opening of its stream is shown.",
    "dashboard.one-stream": "The tabs of a browser share one event stream.",
    "dashboard.keys": "Permitted roles can create a key, which is shown once, and revoke it.",
    "dashboard.sessions": "A person sees where they are signed in, and can end other sessions.",
    "dashboard.issue": "An issue has a page with its complete history.",
    "dashboard.issue.names": "Authors are shown by name, never only by the id of a key.",
    "dashboard.issue.siblings": "An issue links to the next and the previous issue of its list.",
    "dashboard.issue.linked": "The activity names the issues that were linked.",
    "dashboard.comment.tabs": "Tabs share the draft of a comment.",
    "dashboard.board.fold": "Columns of finished work are narrower, and can be folded.",
    "dashboard.labels.color": "A label has the same color everywhere.",
    "dashboard.narrow.titles": "Titles of a list have two lines on a narrow screen.",
    "dashboard.agents.queue": "A long queue of an agent is folded.",
    "dashboard.agents.silent": "The run of a silent agent is not shown as stopping.",
    "dashboard.issue.open": "An issue is opened from the board, the list and the palette.",
    "dashboard.comments.edit":
      "A comment is edited in place; its versions and a conflict of two edits are shown.",
    "dashboard.comments.delete":
      "A deleted comment says who deleted it, and Admins delete its texts permanently.",
    "dashboard.comments.author":
      "An author who is a Viewer edits and deletes the own comments, and no others.",
    "dashboard.tasks":
      "An Editor ticks the tasks of a description where it is shown, and a Viewer reads them.",
    "dashboard.texts":
      "Keys in texts are links with titles; code, diffs and tasks are shown as such.",
    "dashboard.issue.edit": "Title and description are edited in place; a conflict shows both.",
    "dashboard.issue.versions": "The versions of a description are shown as differences.",
    "dashboard.issue.autosave":
      "A description is saved while the user types, even if the user leaves the page.",
    "dashboard.markdown": "Texts keep single line breaks, as on GitHub.",
    "dashboard.issue.title": "A typed title survives a reload, and an equal text never conflicts.",
    "dashboard.issue.properties":
      "An issue's properties and links can be changed by keyboard only.",
    "dashboard.issue.actions": "An issue's page offers its actions, and describes their effects.",
    "dashboard.issue.move": "An issue moves to another project from its menu.",
    "dashboard.issue.pause": "Work can be paused, resumed and retried on an issue's page.",
    "dashboard.instructions": "Changed instructions of a server are compared and accepted.",
    "dashboard.names.assign": "On the board, people are selected by name.",
    "dashboard.names.project": "An issue, filters and webhooks show a project by its name.",
    "dashboard.issue.defer":
      "A deferral is set by a date; Start now ends it, or the delay of a retry.",
    "dashboard.issue.end": "Closing and deleting describe their effects first.",
    "dashboard.issue.approve": "A review is approved by keyboard.",
    "dashboard.issue.viewer":
      "A Viewer sees all of an issue, cannot change it, and is shown the reason.",
    "dashboard.issue.graph": "An issue's page links to its graph.",
    "dashboard.issue.withdraw": "A question is withdrawn on its issue's page.",
    "dashboard.issue.question": "A question is answered on its issue's page.",
    "dashboard.issue.files": "Files are attached, shown and removed on an issue's page.",
    "dashboard.comment": "A comment that is being written is not lost.",
    "dashboard.graph":
      "Dependencies are shown as a picture and a list, with the issues that block most and the longest chain.",
    "dashboard.graph.fold":
      "The graph folds leaves of one issue, except found, critical and shared ones.",
    "dashboard.graph.open":
      "A large graph opens at the critical chain, finds issues, hides resolved ones and has a map.",
    "dashboard.graph.fast": "A graph of 500 issues opens without a long wait.",
    "dashboard.missing": "If the page was not built, the response explains how to build it.",
  }),
  ...from("login-sessions", {
    "access.cookie":
      "The session cookie works only for projects, the inbox, the search, saved views, statistics, agents, runs, usage, events and the session.",
    "session.create.201":
      "A key starts a session with a cookie that scripts and other sites do not get.",
    "session.create.401": "A wrong key starts no session.",
    "session.create.403": "An agent's key starts no session.",
    "session.get.200": "GET returns the caller's principal, for a key and for a cookie.",
    "session.end.204": "DELETE ends the session and its token.",
    "session.routes": "The cookie works only for its routes.",
    "session.token.201": "A session can get a bearer token for the other routes.",
    "session.token.limit": "A session has at most 100 valid tokens.",
    "session.cookie-name":
      "Over HTTPS the cookie has the prefix `__Host-`, or `__Secure-` below a path prefix.",
    "session.cookie-twice": "Two cookies of the session's name are a 401.",
    "session.migrated": "A session that started before sessions had secrets has ended.",
    "session.bearer-first": "A wrong bearer key is a 401 even with a valid cookie.",
    "session.key-deleted": "Deleting a key ends its sessions and tokens.",
    "sessions.create": "A session has the permissions of its key.",
    "sessions.sliding": "Each use extends a session to 12 hours from then.",
    "sessions.check": "Checking a session does not extend it.",
    "sessions.end": "A session lasts at most 7 days.",
    "sessions.key-deleted": "A session and its token end with the key.",
    "sessions.token": "A token expires after 15 minutes and is not a cookie.",
    "sessions.remove": "An ended session takes its tokens with it and leaves others alone.",
    "sessions.sign-in": "A sign-in token works once, for 5 minutes, and ends with its key.",
    "sessions.list": "A key can list and end its own sessions, and an Owner all sessions.",
    "sessions.list.200": "GET lists the sessions of the caller's key.",
    "sessions.list.owner": "An Owner lists and ends the sessions of all keys.",
    "sessions.end.204": "DELETE ends a session of the list.",
    "session.link": "The key of an Admin creates sign-in links; a session creates none.",
    "session.sign-in.invalid": "A wrong sign-in token is a 401 and limited like a wrong key.",
    "sessions.limit": "A key has no more sessions than the limit.",
    "session.create.422": "One session too many is a 422 with the limit.",
    "sessions.admin-key": "The host's own key can start sessions.",
  }),
  ...from("same-origin", {
    "csrf.same-origin": "A write by cookie must come from the same origin.",
    "csrf.secret": "A write by cookie needs the session's secret in a header.",
    "csrf.public-url": "If a public URL is configured, it is the origin.",
  }),
  ...from("https-for-secrets", {
    "https.loopback":
      "The service accepts secrets from loopback addresses unless a header reveals a proxy.",
    "https.proxy": "The service accepts secrets only from a trusted proxy that sends https.",
    "https.tls": "The service accepts secrets over its own HTTPS from every peer.",
    "https.order": "The check follows 401 and 403 of the role and precedes the body.",
    "https.claimed": "A URL in the request line makes a connection no safer.",
    "https.others": "Routes without secrets do not require HTTPS.",
  }),
  ...from("encryption-at-rest", {
    "mcp.secrets.box": "Opening a sealed value returns the original value.",
    "mcp.secrets.sealed": "Each value has a fresh nonce and opens only for its owner and key.",
    "mcp.secrets.stored":
      "All stored values are sealed, including values of variables that are not secret.",
    "mcp.secrets.wiped": "An update leaves no removed value in a file of the database.",
    "mcp.secrets.wrong-key": "With a wrong key core starts, reports it and loses nothing.",
    "rotate.wrong-key": "With a wrong key the server starts, reports it and loses nothing.",
  }),
  ...from("secrets-in-output", {
    "mcp.secrets.scrub": "Only values of secret variables with 6 characters or more are replaced.",
    "mcp.secrets.scrub-overlap":
      "The longer value is replaced first, and a replacement is not searched again.",
    "mcp.secrets.scrub-nested": "Secrets are replaced in JSON in JSON, which stays JSON.",
    "mcp.secrets.scrub-forms": "Percent-encoded and JSON forms of a value are also replaced.",
    "mcp.secrets.scrub-encoded": "The base64 and hex forms of a value are also replaced.",
    "mcp.secrets.scrub-prefix":
      "Prefixes of a value are replaced: 8 or more characters, 12 or more of a word.",
    "mcp.secrets.scrub-json": "Values are replaced in strings and keys at any depth, nowhere else.",
    "mcp.secrets.scrubbed":
      "Values are replaced in results, errors, progress, details, definitions, events and logs.",
    "mcp.real.canary": "No response, event, log line or file contains a given secret.",
  }),
  ...from("key-rotation", {
    "mcp.secrets.often":
      "Values of calls are sealed under the newest key of the last second, which is read once.",
    "mcp.secrets.rotate-results":
      "A rotation seals the recorded results of effects under the new key.",
    "mcp.secrets.rotate": "A rotation seals every value under the new key.",
    "mcp.secrets.rotate-interrupted": "A rotation continues where an interrupted one stopped.",
    "rotate.wiped": "A rotation leaves nothing under the old key in a file of the database.",
    "rotate.file": "rotate-key creates a new key while a server runs, without a restart.",
    "rotate.killed": "rotate-key continues where a killed rotation stopped.",
    "rotate.env": "rotate-key re-encrypts under the first key of QM_SECRET_KEY.",
    "rotate.help": "The help of rotate-key describes the effect on running servers.",
    "rotate.no-data":
      "A rotation in a directory without a database is refused and creates nothing.",
  }),
  ...from("rate-limits", {
    "rate.key": "After a burst of twice the limit, only that key gets 429 with Retry-After.",
    "rate.key.none": "A limit of 0 means no limit.",
    "rate.failures":
      "Too many wrong keys are a 429; a valid key and missing credentials never are.",
    "rate.streams": "Beyond the limit of open event streams, only that key gets 429.",
    "rate.streams.none": "A limit of 0 event streams means no limit.",
    "rate.streams.refused": "A request that opens no event stream does not count as one.",
    "rate.clock": "A clock that is set back does not delay any caller.",
    "rate.failures.ipv6": "The addresses of one IPv6 /64 network count as one address.",
    "rate.failures.proxy":
      "The client's address is the last one that does not belong to a trusted proxy.",
  }),

  ...from("command-line", {
    "cli.login": "login stores a URL and a valid key in a private file, and logout removes them.",
    "cli.key": "The stored key is sent only to the server that it was stored for.",
    "cli.exit": "The exit code names the kind of failure, and stderr the reason.",
    "cli.bridge": "The bridge gets the server and the key like every command.",
    "cli.not-before": "A time is a duration from now or ISO 8601, and `none` clears it.",
    "cli.issue": "Issues are created, changed, linked and listed from the command line.",
    "cli.issue.plan": "issue plan creates the issues of a file, all or none.",
    "cli.issue.files":
      "issue attach streams a file, and issue graph prints blockers and dependents.",
    "cli.issue.fields":
      "Labels, metadata and external references can be set, removed and used as filters.",
    "cli.issue.filters":
      "issue list has the filters of lists: several values, excluded ones, times and saved views.",
    "cli.comment": "Comments are listed, edited and deleted from the command line.",
    "cli.issue.ready": "issue ready lists the issues that the next heartbeat starts.",
    "cli.ask":
      "The open questions of all projects, and the questions on an issue, are listed and answered.",
    "cli.help": "The help of each command has an example that the command accepts.",
    "cli.limit": "A list is read to its end, or up to its limit.",
    "cli.admin": "Keys, agents and events are managed from the command line.",
    "cli.effects": "effects lists the effects of an issue, settles one, and starts over.",
    "cli.run":
      "run lists runs, shows one with its timeline and failed calls, and prints and follows its log.",
    "cli.project":
      "Projects are created, listed, shown, paused, resumed and deleted from the command line.",
    "cli.use":
      "A default project applies where --project is not given, at its server, outside of runs.",
    "cli.open": "open and run open print the address of a page, and open it on a terminal.",
    "cli.terminal.names":
      "On a terminal an issue has the keys of its links and the names of people; in a pipe their ids.",
    "cli.terminal":
      "On a terminal, output has colors, relative times and fitted columns, and says that it waits; elsewhere it is plain.",
    "demo.no-trace": "demo --remove leaves nothing of the sample data in any table or file.",
    "cli.demo":
      "demo fills a project, works as three agents until it is stopped, and removes everything.",
    "cli.usage": "usage prints groups with their totals, and run show has the usage of the run.",
    "cli.inbox": "inbox lists what waits for a person, and done removes a mention.",
    "cli.status":
      "status lists the items of all projects that need a person, and the running issues.",
    "cli.prime": "prime prints an agent's instructions in under 1 KB; shell completions exist.",
    "cli.output": "Text by others cannot control a terminal.",
    "cli.duration": "A duration is a number of seconds, or a number with a unit.",
    "cli.compiled": "The program stores compiled code for its next start, if it can.",
    "cli.start": "A short command loads no part of the platform that it does not use.",
  }),
  ...from("steps-of-a-run", {
    "cli.steps": "A script holds a run with work next, work turn and work finish.",
  }),
  ...from("servers-and-tools-on-the-command-line", {
    "cli.server": "Servers are installed, verified, granted and removed from the command line.",
    "cli.server.out":
      "A server that does not start is refused, and the list of servers shows the start of its outage.",
    "cli.server.progress": "On a terminal, a verify shows the preparation of the package.",
    "cli.server.accept":
      "Tools are accepted as they were shown, blocked and unblocked from the command line.",
    "cli.values": "Values of a server come from files, stdin and variables, never from an option.",
    "cli.tool": "An agent's tools are searched, described and called from the command line.",
    "cli.tool.person": "A person's command is not a sign of life of the agent.",
  }),
  ...from("runner", {
    "runner.command":
      "The command gets prompt, files and environment; an Admin's key stays with the runner.",
    "runner.hidden": "A runner hides its key from the processes that COMMAND starts.",
    "runner.prompt": "The prompt has at most 96 KiB and names the command for the rest.",
    "runner.prompt.quoted":
      "Lines of issues and comments that look like messages of the service are quoted in the prompt.",
    "runner.script": "A prompt is never passed to a shell as a script.",
    "runner.exit":
      "The exit of the command determines how its run is handed in, and with --once the exit code.",
    "runner.output":
      "Output is a code block unless it is Markdown; the output of stopped commands is retained.",
    "runner.comment": "A comment contains the end of the output, without the key.",
    "runner.stop": "When a run has to stop, every process of its command is stopped.",
    "runner.signal": "A runner that is stopped releases its issues.",
    "runner.log":
      "What a command prints is in the log of its run while it works, and on the runner's stderr by line.",
    "runner.worktree":
      "Issues at the same time work in git worktrees of their own, which stay for the next attempt.",
    "runner.worktree.done": "A worktree goes when its issue is done, unless work is only there.",
    "runner.worktree.killed":
      "After a kill, a worktree is made again that git did not finish, and a lock that git left goes.",
    "runner.worktree.refused":
      "Without a repository and a commit, a runner with worktrees starts no issue.",
    "runner.breaker":
      "A runner whose commands fail at their start, or at a usage limit or login, waits, and gives their attempts back.",
    "runner.ask": "An agent asks a person about its issue from the command line.",
    "runner.guard":
      "A runner that is killed leaves no process of its commands, and no folder after the next start.",
    "runner.away": "No issue is lost or held by two runs while the server is unreachable or busy.",
    "runner.handed-in": "A runner adds nothing to a run that its command handed in.",
    "runner.two": "Two runners of one agent never hold the same issue, and both continue.",
    "runner.restart": "A restart of the server loses no issue of a runner.",
    "runner.key":
      "A runner with an Admin's key replaces the agent's key every 12 hours, and deletes its keys when it exits.",
    "runner.kill":
      "Runners that are killed do each issue exactly once: one run hands it in, and other results are discarded.",
    "runner.idle": "A runner without work reports the numbers of queued and blocked issues.",
    "runner.question":
      "A command that asks and exits with 0 is released, and its issue starts again with the answer.",
    "runner.hosts.missing":
      "`--with gemini` without its extension starts no issue and names what to install.",
    "runner.hosts":
      "`--with` runs a host: the log has its messages and tools, the comment its final text, and the next attempt continues its session.",
    "runner.usage": "The runner reports the tokens and cost that a host prints, and nothing twice.",
    "runner.refused": "A runner that cannot work prints the reason, and starts no issue.",
  }),

  ...from("program", {
    "server.help": "--help explains each command.",
    "server.source": "The program's text takes one byte of memory for each character.",
    "server.garbage": "The objects of a request are collected with the young generation.",
    "server.arenas": "The server limits glibc's arenas, unless its environment does.",
    "server.memory": "A load leaves less than 64 MiB in V8's young generation, and 200 MiB in all.",
    "server.bin": "npm ci links the program quartermaster without a build.",
    "server.start":
      "npm start builds stale outputs and starts the server, and signals reach the server.",
  }),
  ...from("environment-variables", {
    "server.config": "An invalid variable stops the start with a sentence that names it.",
    "server.plain-http":
      "The server accepts plain HTTP from other machines only if QM_ALLOW_HTTP is set.",
    "server.config.unknown":
      "A misspelled variable stops the start, and the message contains the nearest name.",
    "server.config.defaults": "Without variables the server has the documented defaults.",
    "server.config.values": "The server accepts sizes, lists and keys as operators write them.",
    "server.reach": "QM_ALLOWED_HOSTS and QM_ALLOWED_ORIGINS open /mcp to names and web pages.",
    "server.names":
      "Advice to change a setting names its variable; in a library it names the option.",
    "server.durability":
      "With full, writes survive a power cut; with normal, they survive a process crash.",
  }),
  ...from("start", {
    "server.welcome": "The server prints its URL, the path of the key and the URL of the docs.",
    "server.welcome.try": "The server prints a first command that works as printed.",
    "server.sign-in":
      "The link on the terminal signs in once, and no other output has a sign-in token.",
    "server.owner-key": "Key files are private, and the output does not contain the key.",
    "server.port": "A port in use is reported.",
    "server.database": "A file that is not a database is reported.",
    "server.earlier": "A server starts on the database of every earlier release.",
    "server.newer": "A server refuses the database of a newer version, and leaves it as it is.",
    "server.database.log": "A removed write-ahead log of a killed process stops the start.",
    "server.database.emptied": "An emptied, removed or zeroed database stops the start.",
    "server.database.page": "A zeroed page of the database stops the start.",
    "server.database.killed": "A process that was killed loses no committed change.",
    "server.database.power":
      "The record of the newest event names no event that a power loss can undo.",
    "server.database.private": "Only their owner can read files of the database.",
    "server.gitignore": "A repository that contains the data directory ignores it.",
    "server.data-dir": "A data directory that is not writable is reported.",
    "server.data-dir.reason":
      "A data directory that cannot be created is reported with the reason.",
    "server.secret-key": "A damaged file of master keys is reported.",
    "server.tls": "With certificate and key the server speaks HTTPS.",
    "server.tls.missing": "Missing TLS files are reported.",
    "server.tls.mismatch": "A key that belongs to another certificate is reported.",
    "server.race": "Two concurrent first starts agree on the keys.",
    "server.leftovers":
      "A start removes the leftovers of a dead process and keeps all committed data.",
  }),
  ...from("operational-routes", {
    "server.health": "The server reports that it is alive and ready.",
    "server.ready.unavailable": "/readyz is a 503 while storage is unreachable.",
    "server.metrics": "Admins get metrics in Prometheus' format.",
    "server.metrics.issues": "The metrics count issues by status, for a Metrics key.",
    "server.strict-projects":
      "QM_STRICT_PROJECTS refuses an issue in a project that does not exist.",
    "server.strict-agents":
      "QM_STRICT_AGENTS refuses an assignment to an agent that is not registered.",
    "server.max-streams": "QM_MAX_STREAMS limits the event streams of a key.",
    "server.metrics.questions": "The metrics count open questions.",
    "server.metrics.domain": "The metrics count heartbeats, claims and finished runs.",
    "server.openapi": "The server serves its OpenAPI document.",
    "contract.openapi": "The document is OpenAPI 3.1 with both security schemes.",
    "contract.words": "Every endpoint has a summary, a description and typed errors.",
    "contract.descriptions": "The OpenAPI document describes every schema, property and parameter.",
    "contract.parameters":
      "Parameters in the OpenAPI document have the type of their value, such as integer.",
    "contract.optional-body": "The body of a heartbeat is optional.",
    "mcp.real.calls": "The metrics count MCP connections and tool calls by outcome.",
  }),
  ...from("documentation", {
    "server.docs": "The documentation and the page of the API need no internet access.",
    "docs.pages":
      "Every page of the documentation is served under a strict policy, and none of its links is broken.",
    "docs.search":
      "The search finds sections that contain all words, as a page and as JSON, and shows a query as text.",
    "docs.screen":
      "The documentation passes axe in both themes at both widths, and can be searched by keyboard.",
    "docs.prefix": "Below a prefix, the links of the documentation contain the prefix.",
  }),
  ...from("http-connections", {
    "server.silent-body": "A connection that is silent for a minute during a body is closed.",
    "server.idle-connection": "A connection that starts no request within 30 seconds is closed.",
    "server.slow-body": "After a minute a body must have arrived at 1 KiB per second on average.",
    "server.upgrade":
      "The connection ends after the response to a request that asks for an upgrade.",
    "server.malformed-head": "A malformed HEAD request gets no body.",
    "server.hsts": "Over HTTPS, the server makes browsers use only HTTPS for the host.",
    "server.connections-per-address":
      "An address may have 1,000 connections; loopback and trusted proxies are exempt.",
    "server.long-answer": "A response may take as long as it needs.",
    "server.malformed": "Input that is not HTTP gets a problem.",
    "server.log": "The log has one line per request, without query and headers.",
  }),
  ...from("shutdown", {
    "unavailable.ending": "The server refuses requests while it shuts down.",
    "server.sigterm": "SIGTERM finishes requests in flight, ends streams and exits with 0.",
    "server.sigterm.limit": "A request that takes longer than 10 s is cut off.",
    "server.sigusr1": "SIGUSR1 does not start a debugger.",
    "server.sigterm.second": "A second signal skips the wait.",
    "server.sigint": "SIGINT exits with 0 immediately when nothing is in flight.",
    "mcp.real.sigterm": "SIGTERM stops every MCP server.",
  }),
  ...from("crashes-and-several-processes", {
    "server.sigkill": "After kill -9 no acknowledged write is lost.",
    "server.sigkill.load":
      "After repeated kill -9 under load no write is lost and none is partial.",
    "server.nodes": "Two processes on one data directory are consistent.",
    "server.nodes.chaos":
      "Every rule holds while runners, workers and people use both processes, and one is killed.",
  }),
  ...from("worker-processes", {
    "workers.events": "An event of one worker reaches a stream on another.",
    "workers.metrics": "Each worker reports the metrics of all workers.",
    "workers.state": "A server with state has one process for all workers.",
    "workers.handed-over": "A connection that a killed worker did not accept ends.",
    "workers.killed": "A worker that is killed loses nothing acknowledged, and starts again.",
    "workers.pause": "A worker that exits soon waits longer before each start.",
    "workers.shutdown": "SIGTERM to the parent ends every worker in order.",
    "workers.parent": "No worker survives its parent.",
    "workers.refused": "The program exits with 1 if the first worker cannot start.",
    "workers.node-url": "With QM_NODE_URL each worker has a port of its own for other nodes.",
  }),
  ...from("postgresql", {
    "move.killed": "A move that was killed five times continues, and ends with equal digests.",
    "move.verified": "Every table of a data directory is moved, with equal counts and digests.",
    "move.refused":
      "A source in use or of another version and a schema with a service are refused with exit 2.",
    "move.continues":
      "After a move, keys, Last-Event-ID, Idempotency-Key, search, files and secrets work as before.",
  }),
  ...from("embedded", {
    "embedded.services": "Every service has promises and acts as the service itself by default.",
    "embedded.principal": "`as` returns services that act on behalf of the given principal.",
    "embedded.errors": "A promise rejects with an instance of core's error, with its message.",
    "embedded.files": "Files are attached from bytes or streams and read in parts.",
    "embedded.events": "Events are an async iterable that finishes when Quartermaster is closed.",
    "embedded.agent": "An agent's tasks are an async iterable.",
    "embedded.runs": "A host writes and reads the log of a run, its usage and its timeline.",
    "embedded.housekeeping": "Housekeeping runs while Quartermaster is open.",
    "embedded.again": "A folder that is opened again contains everything that was written.",
    "embedded.twice": "Several programs share a folder.",
    "embedded.shared":
      "Programs share a database by the option storage, and need the same masterKey.",
    "embedded.key": "open creates the master key in a private file and uses it again.",
    "embedded.secrets":
      "Values of MCP servers are readable after a restart, and close stops their processes.",
  }),
  ...from("client-without-effect", {
    "client.methods": "Every endpoint of the contract has a method with named arguments.",
    "client.problems": "A refusal rejects as a problem with its status, type, detail and members.",
    "client.session": "A client can write by cookie if it has the session's secret.",
    "client.unreachable": "A call without a response rejects as Unreachable.",
    "client.pages": "A list is an async iterable that reads page by page.",
    "client.files": "Files are sent from blobs, bytes and streams, and read as streams.",
    "client.retries": "A call that is safe to repeat waits as long as Retry-After requires.",
    "client.abort": "A signal cancels a call, even while it waits.",
    "client.prefix": "The server may be mounted below a path.",
    "client.events": "A stream of events resumes after a restart of the server and misses nothing.",
    "client.usage":
      "A turn of a task reports a note and usage; a finish whose usage is refused hands in as failed.",
    "client.tasks": "An agent picks issues up within its capacity and keeps their leases.",
    "client.stop": "A stop aborts the task's signal, and the issue does not change.",
    "client.release": "When the loop is left or aborted, the held issues are released.",
    "client.away": "An unreachable server is retried; a lease that expires stops the task.",
    "client.work":
      "The value that the work returns or throws is handed in, and a stop is acknowledged.",
  }),
  ...from("mounted-in-another-server", {
    "mount.frameworks":
      "The programs of docs/guides/mounting.md compile, serve below their prefix and exit on SIGTERM.",
    "mount.links":
      "With and without a prefix, Location and Link of mounted routes lead to their objects.",
    "mount.files": "Mounted routes stream uploads and downloads, and downloadUrl has the prefix.",
    "mount.streams": "A mounted event stream delivers events and ends when its client leaves.",
    "mount.abort": "A mounted request ends when its client disconnects.",
    "mount.mcp": "The official client uses /mcp of mounted routes.",
    "mount.routes": "Mounted routes respond below their prefix and leave other paths to the host.",
    "mount.description":
      "The OpenAPI document, the session cookie, OAuth's URLs and absolute links contain the prefix.",
    "mount.prefix":
      "A prefix is a path, and a request without it is a 404 that explains the prefix.",
    "mount.effect": "In an HttpRouter, a prefix keeps the routes apart from the host's routes.",
    "mount.body-read": "A body that the host has already read is a 500 with the remedy.",
    "mount.peer": "The host passes the address of the peer with a request of the platform.",
    "mount.reach":
      "A mount accepts allowed hosts and origins for /mcp, and rejects malformed values.",
    "mount.close":
      "Closing finishes event streams, refuses new requests and waits for requests in flight.",
  }),
  ...from("backup-and-restore", {
    "storage.schema":
      "The start, doctor, backup and restore refuse a database whose schema differs from the schema of this version.",
    "backup.file": "A backup is one file of mode 0600 that restores the database and attachments.",
    "backup.signed":
      "A backup has an HMAC under the master key, which a restore verifies or warns that it cannot.",
    "backup.running": "A backup of a running server restores issues, search, files and secrets.",
    "backup.engines": "Either engine restores a backup of the other, with equal digests.",
    "backup.load": "A backup under write load contains everything that was acknowledged before it.",
    "backup.keys": "With --keys a backup contains every master key that its secrets may need.",
    "backup.no-keys":
      "Without --keys a backup contains no master key, and restore names the missing key.",
    "backup.deleted": "Bytes of a deleted attachment stay until a running backup has finished.",
    "backup.incomplete": "A backup fails if the bytes of an attachment are missing or damaged.",
    "backup.target": "A backup replaces an earlier backup and no other file.",
    "backup.killed": "A killed backup leaves no file under the name of the backup.",
    "restore.empty": "A restore refuses a directory that is not empty.",
    "restore.truncated": "A restore refuses a truncated file.",
    "restore.foreign": "A restore refuses a file that is not a backup.",
    "restore.newer": "A restore refuses a backup of a newer version.",
    "restore.tampered": "A restore refuses a backup with a changed byte.",
    "restore.paths": "A restore writes no file outside of its directory.",
    "restore.refused": "A refused backup or restore exits with one sentence and writes nothing.",
    "restore.killed": "No server starts on a directory whose restore was interrupted.",
    "restore.newest-event": "A restore writes the file newest-event of the restored database.",
  }),
  ...from("doctor", {
    "doctor.clean": "Doctor finds nothing in a sound directory and changes nothing.",
    "doctor.exit": "Doctor exits with 0 only if nothing is wrong, and --json prints a document.",
    "doctor.configuration": "Doctor finds invalid variables and missing files that they name.",
    "doctor.permissions": "Doctor finds files of the service that other users can read.",
    "doctor.disk": "Doctor finds a disk that is almost full.",
    "doctor.integrity": "Doctor finds a database that is damaged, lost changes or is newer.",
    "doctor.attachments": "Doctor finds attachments whose bytes are missing.",
    "doctor.clock": "Doctor finds a clock that is behind the newest change.",
    "doctor.runtimes": "Doctor finds enabled MCP servers whose runtime is missing.",
    "doctor.secrets": "Doctor finds secrets that the master key does not decrypt.",
    "doctor.work": "Doctor finds expired runs that no server recorded, and exhausted issues.",
    "doctor.webhooks":
      "Doctor finds webhooks that are failing, deliveries that no server sends, and secrets of webhooks that no key decrypts.",
    "doctor.processes": "Doctor finds processes of MCP servers whose service crashed.",
  }),
];
