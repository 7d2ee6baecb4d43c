// The habits of writing that check-words.mjs fails on, each with what to write instead. A space in a
// pattern matches any white space, so that a phrase is found across a line break. `\ufffb` stands for
// the start of a comment, `\ufffc` for the start or end of any other text.
const phrase = (pattern, instead, flags = "giu") => ({
  pattern: new RegExp(pattern.replaceAll(" ", String.raw`\s+`), flags),
  instead,
});

/** Released migrations never change. */
const migrations = /\/migrations\/\d{4}_/;

/** The start of a sentence. */
const start = String.raw`(?<=(?:[\ufffb\ufffc.;:!?]|\|)[\s>*-]*)`;

export const habits = [
  // Words that are not terms of the field.
  phrase(String.raw`\banew\b`, "again"),
  phrase(String.raw`\bmeanwhile\b`, "in the meantime"),
  phrase(String.raw`\bbesides\b`, "also, in addition to"),
  phrase(String.raw`\bin the place of\b`, "instead of"),
  phrase(String.raw`\bat once\b`, "immediately, at the same time"),
  phrase(String.raw`\bfor ever\b`, "forever"),
  phrase(String.raw`\bunder way\b`, "in flight, pending"),
  phrase(String.raw`\bin vain\b`, "without success"),
  phrase(String.raw`\bby (?:itself|themselves)\b`, "automatically"),
  phrase(String.raw`\b(?:their|its) making\b`, "creation"),
  phrase(String.raw`(?<!\.)\b[Bb](?:egins?|egan|egun|eginnings?)\b`, "start", "gu"),
  phrase(String.raw`\b(?:reckon(?:ed)?|seldom|befalls?|hitherto|forth)\b`, "a plain word"),
  phrase(String.raw`, too(?=[\s]*(?:[.,;:)]|\ufffc))`, "also"),

  // Terms: the glossary has one word for each concept.
  phrase(String.raw`\bservers? elsewhere\b`, "remote server"),
  phrase(String.raw`\brights\b`, "scopes"),
  phrase(String.raw`\brenew\w* (?:(?:a|the|its|their) )?tokens?\b`, "refresh a token"),
  phrase(String.raw`\btokens? (?:is|are|was|were) renewed\b`, "refreshed"),
  phrase(String.raw`\bbecomes? known to\b`, "registers a client"),
  phrase(String.raw`\b(?:older|present) revisions?\b`, "legacy, current protocol version"),
  phrase(String.raw`\bpresent (?:version|one)\b`, "current"),
  phrase(
    String.raw`(?<!\b(?:for|at) (?:a|the|any|every|each|that|one) )\bmoments?\b`,
    "timestamp, time",
  ),
  phrase(String.raw`\b(?:security holes?|a hole|mends|mended)\b`, "vulnerability, fix"),
  phrase(String.raw`\bkept\b(?! alive\b)`, "stored, saved, committed, retained"),

  // Verbs without an agent, and words that stand for a noun.
  phrase(String.raw`${start}Answers\b`, "Returns, Responds with"),
  phrase(String.raw`\banswer(?:s|ed)(?: with| by)? [2-5]\d\d\b`, "responds with"),
  phrase(
    String.raw`\b(?:is|are|was|were|be|been) told\b(?! to stop\b)`,
    "reported, notified, listed",
  ),
  phrase(String.raw`\btells? of\b`, "reports"),
  phrase(String.raw`\bunless (?:it is |they are )?(?:told|said)\b`, "by default"),
  phrase(String.raw`\bsays? otherwise\b`, "default: ..."),
  phrase(String.raw`\bthose (?:that|who|of)\b`, "the noun"),
  phrase(String.raw`\bthat of\b`, "the noun"),
  phrase(String.raw`\b(?:whoever|somebody|nobody|anybody|everybody)\b`, "the caller, no client"),
  phrase(String.raw`\bwho comes\b`, "the next caller"),
  phrase(
    String.raw`${start}Who (?:is|has|did|wants?|waits|needs|may|hangs|goes|asks|speaks|uses)\b(?![^.;|\ufffc]*\?)`,
    "The caller that ...",
  ),
  phrase(
    String.raw`${start}What (?:is|was) (?:not )?(?:kept|there|told|over|done|given|sent|left|due)\b(?![^.;|\ufffc]*\?)`,
    "the noun",
  ),
  phrase(String.raw`(?<!\bthere )\b(?:is|are|was|were) none\b`, "does not ..."),
  phrase(String.raw`(?<!\bthere )\b(?:is|are|was) no (?!longer\b|more\b|such\b)`, "is not a ..."),
  phrase(String.raw`\bof (?:ours|yours|one's own)\b|\bone's own\b`, "our, your"),
  phrase(
    String.raw`(?<=[\w\x60'")]) alone\b(?<!\b(?:leav(?:e|es|ing)|left|let|lets|stands?)(?: [^\s.;]+){0,6} alone)`,
    "only, before the noun",
  ),
  phrase(String.raw`(?<=[a-z])!(?=\s|\ufffc)`, "a full stop"),

  // Clauses and pronouns instead of a noun.
  {
    ...phrase(
      String.raw`(?<=\ufffb[\s*]*)(?:What|Who|Whose|How|Where|Which|Why)\b(?![^.\ufffb\ufffc]*\?)`,
      "the noun first: the reason, the path, the number",
      "gu",
    ),
    except: migrations,
  },
  phrase(String.raw`\bas (?:the )?storage has (?:it|them)\b`, "the stored form of"),
  phrase(String.raw`\bmakes of (?:it|them|an?|the)\b`, "the state after"),
  phrase(
    String.raw`(?<!\b(?:if|not) )\bso (?:many|often)\b(?! (?:that|as)\b)`,
    "at most n, n times, a limit",
  ),
  phrase(String.raw`\bfor good\b`, "permanently"),
  phrase(String.raw`\bby force\b`, "anyway, although"),
  phrase(String.raw`\bthere (?:waits?|stands?|lies|comes?)\b`, "subject before verb"),
  phrase(String.raw`\bby an? (?:\w+ )?\w+'s (?:key|call)\b`, "with an Owner key, the agent calls"),

  // American spelling.
  phrase(String.raw`\bcatalogues?\b`, "catalog"),
  phrase(String.raw`\b(?:behaviour|colour|favour|honour|neighbour)(?:s|ed|ing|ite)?\b`, "-or"),
  phrase(String.raw`\b(?:labelled|modelled|travelled|signalled|fulfil)\b`, "one l, or fulfill"),
  phrase(
    String.raw`\b(?:organ|recogn|author|initial|serial|normal|optim|real|synchron|summar)is(?:e|es|ed|ing|ation)\b`,
    "-ize",
  ),
  phrase(
    String.raw`\b(?:licence|centre|judgement|grey|whilst|amongst|towards)\b`,
    "American spelling",
  ),
];
