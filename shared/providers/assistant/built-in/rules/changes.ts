import { FIELD, PERSON, type Rule, rule, TARGET, VALUE } from './patterns.ts';

const NEW = '(?:add|create|make|open|enter|set up)(?: me| us| an?| the| new| another){0,2}';
const TASK = '(?:task|to-?do|reminder)';
const STAGE = '(?:the )?(?:stage )?(?<value>.{1,100}?)(?: stage)?';
const REPLIED =
  '(?: to (?<field>all|everyone|everybody)| to (?:it|this|that|this (?:mail|e-?mail|thread|message)))?';
const SAYING = '(?:,? (?:saying|that says|to say)(?: that)?[ :,]{1,3}| ?: ?)';

/** Requests to change something. */
export const changes: Rule[] = [
  rule('tag', `^(?:tag|label) ${TARGET} (?:as|with) (?:the tag )?${VALUE}$`),
  rule('tag', `^tag (?:this )?${VALUE}$`),
  rule(
    'tag',
    `^(?:add|apply|put|set|give (?:it|this)|attach) (?:the |a |an )?(?:tag|label) ${VALUE}(?: (?:to|on) ${TARGET})?$`,
  ),
  rule('tag', `^(?:add|apply|put) (?:the )?${VALUE} (?:tag|label)(?: (?:to|on) ${TARGET})?$`),
  rule(
    'untag',
    `^(?:remove|take off|take away|drop|delete) (?:the )?(?:tag|label) ${VALUE}(?: from ${TARGET})?$`,
  ),
  rule(
    'untag',
    `^(?:remove|take off|take away|drop|delete) (?:the )?${VALUE} (?:tag|label)(?: from ${TARGET})?$`,
  ),
  rule('untag', `^untag (?:this )?(?:as |from )?${VALUE}$`),
  rule(
    'add-contact',
    `^(?:add|create|make|save|enter)(?: a| the| new| as){0,2} contact(?: for| named| called| of)?[ :,]{1,3}${VALUE}$`,
  ),
  rule(
    'add-contact',
    `^(?:add|save|put) ${VALUE} (?:as (?:a )?(?:new )?contact|(?:to|in|into) (?:the |my |our )?contacts)$`,
  ),
  rule('add-contact', `^(?:add|save) (?<value>.{0,100}[^\\s<>@]{1,64}@[^\\s<>@]{1,100}>?)$`),
  rule(
    'change-contact',
    `^(?:set|change|update|correct|edit) (?:the )?${FIELD} of ${PERSON} (?:to|as|=) ${VALUE}$`,
  ),
  rule('change-contact', `^(?:set|change|update|correct|edit) (?:the )?${FIELD} (?:to|as|=) ${VALUE}$`),
  rule('change-contact', `^(?:set|change|update|correct|edit) ${PERSON} ${FIELD} (?:to|as|=) ${VALUE}$`),
  rule('change-contact', `^rename ${PERSON} (?:to|as|into) ${VALUE}$`, 'name'),
  rule(
    'add-task',
    `^remind ${PERSON} (?:to|about|that (?:i|we|he|she|they)(?: must| should| have to| has to| need to| needs to)?) ${VALUE}$`,
  ),
  rule('add-task', `^${NEW} ${TASK} for ${PERSON}(?: to |: ?)${VALUE}$`),
  rule('add-task', `^${NEW} ${TASK}(?: to| called| named|:|,)? ${VALUE}$`),
  rule('add-task', `^(?:assign|give) ${PERSON} (?:a|the|another) task(?: to |: ?)${VALUE}$`),
  rule('draft-reply', `^(?:reply|respond|answer)${REPLIED}${SAYING}${VALUE}$`),
  rule(
    'draft-reply',
    `^(?:draft|write|compose|prepare)(?: me| us)? (?:an?|the|my|our) (?:reply|response|answer)${REPLIED}${SAYING}${VALUE}$`,
  ),
  rule('complete-task', `^(?:complete|finish|close|tick off|check off) (?:the |my )?${TASK} ${VALUE}$`),
  rule('complete-task', `^mark (?:the |my )?${TASK} ${VALUE} (?:as )?(?:done|complete|completed|finished)$`),
  rule('add-organization', `^${NEW} (?:organi[sz]ation|company|firm)(?: called| named)?[ :,]{1,3}${VALUE}$`),
  rule('add-deal', `^${NEW} deal(?: called| named| for)?[ :,]{1,3}${VALUE}$`),
  rule('move-deal', `^(?:move|advance|push) (?:the )?deal ${TARGET} (?:to|into) ${STAGE}$`),
  rule('move-deal', `^(?:move|advance|push) (?:it|this|this deal|the deal) (?:to|into) ${STAGE}$`),
  rule('move-deal', `^mark (?:the )?deal ${TARGET} (?:as )?(?<value>won|lost)$`),
  rule('move-deal', `^mark (?:it|this|this deal|the deal) (?:as )?(?<value>won|lost)$`),
  rule('add-job', `^add (?:a |the )?job (?:at|with) ${VALUE} (?:to|for) ${PERSON}$`),
  rule(
    'add-job',
    `^(?!who|what|which|where|when|how|does|do|did|is|are|if)${PERSON} (?:now )?works (?:at|for) ${VALUE}$`,
  ),
];
