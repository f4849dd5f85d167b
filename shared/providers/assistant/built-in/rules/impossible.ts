import { type Rule, rule } from './patterns.ts';

/** What the assistant cannot do. */
export const impossible: Rule[] = [
  rule(
    'cannot',
    `^(?:send|reply|respond|answer|forward|draft|compose)\\b(?! of)|^write (?!.{0,60}\\b(?:poem|song|joke|story|essay|code)\\b)|^e-?mail \\S{1,60} (?:that|about|to|a|an|and)\\b|^(?:mail|call|phone|ping) (?:him|her|them|back|\\p{L}{2,40})(?: (?:that|to|and|about)\\b|$)`,
    'send',
  ),
  rule(
    'cannot',
    '^(?:write|compose|make|sing|tell|invent|come up with)?.{0,30}\\b(?:poem|song|joke|limerick|haiku|essay|recipe|fairy tale)\\b',
    'write',
  ),
  rule(
    'cannot',
    '^(?:translate|what does .{1,80} mean in)\\b|\\btranslat(?:e|ion of) (?:this|it|the)\\b',
    'translate',
  ),
  rule('cannot', '^(?:delete|erase|destroy|trash|remove|wipe)\\b', 'delete'),
  rule(
    'cannot',
    '^(?:mark|flag|unflag|resolve|unresolve|reopen|snooze|archive|star|pin|mute|assign|share|merge|move|close)\\b',
    'state',
  ),
  rule(
    'cannot',
    '^(?:schedule|book|invite|plan|create|make|add|set up)\\b.{0,80}\\b(?:meeting|call|event|appointment)\\b|^remind\\b',
    'create',
  ),
  rule(
    'cannot',
    '^(?:what|how|will|is|tell).{0,40}\\b(?:weather|forecast|rain|snow|stock price|exchange rate|news headlines|capital of|president of)\\b|^(?:what is \\d|calculate |how much is \\d)|\\b(?:google|search the (?:web|internet))\\b',
    'world',
  ),
];
