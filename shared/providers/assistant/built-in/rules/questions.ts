import {
  OF_US,
  PERSON,
  type Rule,
  rule,
  SAY,
  STRETCH,
  TARGET,
  THREADS,
  TOPIC,
  WRITE,
  WROTE,
} from './patterns.ts';

/** Questions about mail, people and tags. */
export const questions: Rule[] = [
  rule(
    'abilities',
    '^(?:help(?: me)?|what (?:can|could|do) you (?:do|know|answer|help).{0,40}|(?:can|could) you help(?: me)?|how (?:can|do|could) (?:you help|i use you|you work).{0,30}|(?:who|what) are you|what can i ask(?: you)?|what (?:questions )?can (?:i|we) ask.{0,20}|commands|options)$',
  ),
  rule('abilities', '^(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you|test)?$'),
  rule(
    'tasks',
    '\\b(?:tasks?|to-?dos?|to do list|what (?:do|must|should|have) (?:i|we) (?:have to|to|must)? ?do)\\b',
  ),
  rule('tagged', `\\b(?:tagged|labell?ed)(?: as| with| by)? ${TOPIC}$`),
  rule('questions', '\\b(?:open|unanswered|outstanding|pending|remaining|unresolved) questions?\\b'),
  rule('questions', '^(?:which|what|are there|any)(?: other)? questions?\\b'),
  rule('questions', '\\bquestions? .{0,30}\\b(?:open|unanswered|answered|left|pending|outstanding)\\b'),
  rule(
    'questions',
    `^what (?:did|does|do|has|have) ${PERSON} (?:want|wants|ask|asked|need|request|requested|expect)\\b(?! about).{0,60}$`,
  ),
  rule('count', `^how many\\b.{0,60}\\b(?:unread|open|unanswered|unresolved|flagged|waiting|awaiting)\\b`),
  rule(
    'count',
    `^how many (?:\\p{L}{1,20} ){0,2}${THREADS}\\b(?: are there| do (?:i|we) have| did .{1,80}| (?:from|with|to|about|on) .{1,80}| (?:is|are) .{0,40}| has this| have we)?`,
  ),
  rule('count', '^(?:any|is there any(?:thing)?|do i have any(?:thing)?|have i got) (?:unread|new)\\b'),
  rule(
    'files',
    `\\b(?:files?|attachments?|documents?|pdfs?|spreadsheets?)\\b.{0,60}\\b(?:from|by) ${PERSON}(?: send| sent| attached?)?$`,
  ),
  rule(
    'files',
    `\\b(?:files?|attachments?|documents?|pdfs?|spreadsheets?)\\b.{0,20}\\b(?:did|has) ${PERSON} (?:send|sent|attach|attached|share|shared)\\b`,
  ),
  rule(
    'files',
    '\\b(?:files|attachments?|attached|pdfs|spreadsheets?)\\b|^(?:which|what|any) (?:file|document)s?\\b|\\bdocuments? (?:were|was|did|has|have)\\b',
  ),
  rule(
    'last-said',
    `^(?:what (?:was|is|has been) )?(?:the )?last (?:thing )?(?:said|written)(?: (?:by|from) ${PERSON})?(?: (?:on|in|here|about) .{1,80}| here)?$`,
  ),
  rule('last-said', `^what (?:did|has) ${PERSON} last ${SAY}(?: (?:on|in|here|about|to) .{1,80}| here)?$`),
  rule(
    'last-said',
    `^(?:is there |do we have |have we (?:got )?|did we get )?(?:anything|something)(?: new)? (?:from|by) ${PERSON}$`,
  ),
  rule(
    'said',
    `^what (?:did|has|have|does|do) ${PERSON} (?:last )?${SAY}(?: to (?:us|me))? (?:about|on|regarding|concerning|of) ${TOPIC}$`,
  ),
  rule(
    'said',
    `^what (?:was|is|has been) (?:said|written|decided|agreed|offered|promised) (?:by ${PERSON} )?(?:about|on|regarding|concerning) ${TOPIC}$`,
  ),
  rule(
    'said',
    `^(?:did|has|have) ${PERSON} (?:ever )?(?:say|said|mention|mentioned|write|written|talk|talked)(?: anything| something)?(?: about| of)? ${TOPIC}$`,
  ),
  rule(
    'last-said',
    `^what (?:did|has|have) ${PERSON} (?:last )?${SAY}(?: to (?:us|me)| lately| recently| last)?$`,
  ),
  rule(
    'last-said',
    `^(?:did|has|have) ${PERSON} (?:answer|answered|reply|replied|respond|responded|write|written)(?: back| yet| to us| to me| us| me)*$`,
  ),
  rule(
    'last-mailed',
    `^when (?:did|have|has) ${OF_US} (?:last |ever )?(?:hear|heard) from ${PERSON}(?: last)?$`,
    'from',
  ),
  rule('last-mailed', `^when (?:was|is|were) ${PERSON} last heard from$`, 'from'),
  rule(
    'last-mailed',
    `^when (?:did|have|has|was it that) ${OF_US} (?:last |ever )?(?:${WRITE}|${WROTE}) ${PERSON}(?: last| the last time)?$`,
    'to',
  ),
  rule(
    'last-mailed',
    `^when (?:was|is|were|has) ${PERSON} (?:been )?(?:last )?${WROTE}(?: last)?(?: by .{1,40})?$`,
    'to',
  ),
  rule(
    'last-mailed',
    `^when (?:did|has|have) ${PERSON} (?:last )?(?:${WRITE}|${WROTE}|send .{1,40})(?: last| us| me| back| to us| to me)*$`,
    'from',
  ),
  rule(
    'last-mailed',
    `^who (?:has |have )?(?:last )?(?:${WROTE}|wrote(?: to)?|wrote with) (?:to )?${PERSON}(?:,? (?:last|when|and when)){0,2}$`,
  ),
  rule(
    'last-mailed',
    `^(?:when (?:was|is) )?(?:the |our |my )?(?:last|latest|most recent) (?:contact|exchange|mail|e-?mail|message|letter) (?:with|to) ${PERSON}$`,
  ),
  rule(
    'last-mailed',
    `^when (?:was|is) (?:the )?(?:last|latest|most recent) ${THREADS}(?: (?:from|by|with) ${PERSON})?(?: sent| written| here)?$`,
  ),
  rule(
    'last-mailed',
    '^(?:and )?(?:since )?when(?: (?:was|is|did) (?:that|this|it)(?: sent| written| happen| said)?)?$',
  ),
  rule(
    'last-said',
    `\\b(?:last|latest|newest|most recent) (?:message|mail|e-?mail|reply|answer|word|news|update)s?\\b(?:.{0,30}\\b(?:from|by|of) ${PERSON})?$`,
  ),
  rule('last-said', `^what (?:did|has|have|does) ${PERSON} (?:last )?${SAY}(?: to (?:us|me))?,? ${STRETCH}$`),
  rule(
    'overview',
    `^(?:(?:what is|what was|anything|is there anything|any) (?:new|news)|what (?:happened|came in|arrived|has (?:happened|come in|arrived)|did (?:i|we) (?:get|receive|miss)))(?: (?:in (?:my|the|our) (?:inbox|mailbox)|for (?:me|us)))?,? ${STRETCH}$`,
    'news',
  ),
  rule(
    'overview',
    `^(?:summari[sz]e|sum up|(?:an? |the )?(?:summary|overview|recap) of|recap|catch me up on|what is (?:new )?in) (?:(?:all|of|my|the|our|new|latest) ){0,4}(?:inbox|mailbox|mails|e-?mails?|mail|messages|threads|${STRETCH})(?:,? (?:of |from |for )?${STRETCH})?$`,
    'inbox',
  ),
  rule(
    'last-said',
    `^(?:what is new|any news|anything new|what is the latest)(?: (?:from|by|with|on) ${PERSON})?(?: here)?$`,
  ),
  rule('last-said', '^who (?:wrote|said|answered|replied|was|spoke)(?: something)? last$'),
  rule(
    'dates',
    '\\b(?:deadlines?|due|dates|which days?|what days?|by when)\\b|^(?:which|what) (?:date|day)s?\\b',
  ),
  rule(
    'open',
    "\\b(?:nobody|no one|none of us) (?:has )?(?:answered|replied)\\b|\\bwithout (?:an? )?(?:answer|reply|response)\\b|\\b(?:we|i) (?:have not|haven't|did not|didn't|never) (?:yet )?(?:answer|repl|respond)",
  ),
  rule(
    'open',
    `\\b(?:unread|unanswered|unresolved|awaiting|flagged|not (?:been )?(?:answered|read|resolved)|unreplied)\\b`,
  ),
  rule(
    'open',
    `\\b(?:waiting|waits?) (?:for|on) (?:us|me|our|my|an answer|a reply|\\p{L}{2,20} answer)\\b|\\bneeds? (?:an? |our |my )?(?:answer|reply|response|attention)\\b|\\b(?:answer|reply to|respond to|attend to)$`,
  ),
  rule(
    'open',
    `^(?:what|which .{1,40}|is (?:this|it)|anything|something|what all)(?: is| are)?(?: still)? (?:open|pending|outstanding)\\b|\\bopen (?:threads?|mails?|items?|issues?|matters?|points?)\\b|^is (?:this|it) (?:answered|resolved|done|read|closed|settled)|^(?:which|what) .{0,40}\\b(?:new|open)$`,
  ),
  rule(
    'tags',
    '\\b(?:tags|labels)\\b|^(?:how|is) (?:is |was )?(?:this|it).{0,20} (?:tagged|labell?ed)|\\b(?:which|what) (?:tag|label)\\b',
  ),
  rule(
    'participants',
    '^who (?:else )?(?:is|are|was|were|all is) (?:else )?(?:all )?(?:on|in|part of|involved|taking part|copied|cc|included|reading|here)\\b|\\b(?:participants|recipients|people (?:on|in|involved))\\b|^who (?:started|began|opened|wrote|sent) (?:this|it)\\b',
  ),
  rule(
    'summary',
    '\\b(?:summari[sz]e|summary|sum (?:this |it )?up|tl;?dr|recap|overview|nutshell|gist|catch me up|bring me up to (?:date|speed))\\b|^(?:what is|what was) (?:this|it|that|the thread|this thread)(?: thread| conversation| mail)? (?:all )?about$|^what (?:is happening|happened|is going on|is this)(?: here| so far| in this thread| on this thread)?$|^(?:what is|where do we stand|how is) ?(?:the |with )?(?:status|state|state of play|situation|this)?(?: here| of this| of this thread| with this)?$',
  ),
  rule(
    'find-threads',
    `^(?:find|search|search for|look for|look up|where (?:is|are)|which|what|are there|is there|do we have|have we|any|all)? ?(?:me |the |all |any |my |our |old |recent ){0,3}${THREADS}\\b.{0,30}?\\b(?:about|on|with|from|to|of|concerning|regarding|mention(?:s|ing)?|containing|contains?|for|named|called) ${TOPIC}$`,
  ),
  rule(
    'find-contact',
    `^(?:find|search|search for|look for|look up|open|where is|do we have|is there|have we)(?: me| the| a| any)* contacts? (?:of|for|named|called|from|at|with|like)? ?${PERSON}$`,
  ),
  rule(
    'find-contact',
    `^(?:do we know|have we got a contact(?: for| at| named)?|is there someone (?:called|named|from|at)|who do we know (?:at|from|in)|which contacts? (?:is|are|do we have) (?:at|from|named|called)|contacts? (?:at|from|named|called)) ${PERSON}$`,
  ),
  rule(
    'detail',
    `^(?:what is |what are |do we have |which is )?(?:the )?(?<field>e-?mail address(?:es)?|e-?mail|address|phone number|phone|telephone number|telephone|number|birthday|time ?zone|headline|nick ?name|job|title|job title|company|employer|local time) (?:of|for) ${PERSON}$`,
  ),
  rule(
    'detail',
    `^(?:what is |what are |do we have |which is )${PERSON} (?<field>e-?mail address(?:es)?|e-?mail|address|phone number|phone|telephone number|telephone|number|birthday|time ?zone|headline|nick ?name|job|title|job title|company|employer|local time)$`,
  ),
  rule(
    'detail',
    `^(?:where|for whom|for which company) (?:does|do) ${PERSON} works?(?: for| at)?$`,
    'company',
  ),
  rule('detail', `^what does ${PERSON} do$`, 'job'),
  rule('detail', `^when is ${PERSON} birthday$|^when was (?:he|she) born$`, 'birthday'),
  rule('detail', `^what time is it (?:for|where) ${PERSON}(?: is| lives)?$`, 'local time'),
  rule('find-threads', `^(?:find|search for|search|look for|look up) ${TOPIC}$`),
  rule('when', `^when (?:is|are|will|was|were) ${TARGET}(?: be)?$`),
  rule('who', `^who (?:is|was|are|were) ${PERSON}$`),
  rule('who', `^(?:tell (?:me|us) )?(?:about|more about|everything about|something about) ${PERSON}$`),
  rule('who', `^(?:what do (?:we|you) know about|introduce) ${PERSON}$`),
  rule(
    'said',
    `^what (?:did|does|do|has|have) ${PERSON} \\p{L}{2,20} (?:about|on|regarding|concerning|for) ${TOPIC}$`,
  ),
  rule('last-said', `^what (?:did|does|do|has|have) ${PERSON} \\p{L}{2,20}$`),
];
