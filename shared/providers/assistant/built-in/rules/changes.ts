import { FIELD, PERSON, type Rule, rule, TARGET, VALUE } from './patterns.ts';

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
];
