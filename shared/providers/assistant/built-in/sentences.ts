import { contentStems, fold, shared } from './words.ts';

/** The sentences of a mail, without greeting, closing and signature. */

/** Of one message; more is not read. */
const MAX_TEXT = 20_000;
const MAX_SENTENCES = 300;

const GREETING =
  /^(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|bonjour|chere?|cher|sehr geehrte[rs]?|liebe[rs]?|hallo|estimad[oa]s?|hola|ola|caro|cara|уважаем\p{L}{2}|مرحبا)(?![\p{L}\p{N}])/u;
const CLOSING =
  /^(?:(?:with )?(?:kind|best|warm|many)(?:est)? (?:regards|wishes|thanks)|regards|warmly|cheers|best|thanks|thank you|yours(?: (?:sincerely|faithfully|truly))?|sincerely|mit freundlichen grussen.{0,30}|herzliche grusse.{0,20}|viele grusse|(?:bien )?cordialement|bien a vous|un cordial saludo|saludos|с уважением)[,.!]?$/u;
const SENT_WITH = /^(?:sent (?:from|with) my? ?|gesendet von |envoye de |get outlook for )/u;

const QUOTE = /^\s{0,3}>/;
/** "On Tuesday, Ada <ada@acme.example> wrote:" and the like in other languages: a time, an address or a word for it. */
const ATTRIBUTION =
  /(?:\d{4}|\d{1,2}:\d\d|@|\b(?:wrote|writes|schrieb|ecrit|escribio|escreveu|ha scritto)\b).{0,200}[:：]$/u;
const WROTE = /^on .{6,300} wrote:$/u;
/** A patch: what follows is code. */
const PATCH = /^(?:diff --git |Index: \S|@@ -\d|--- a\/|\+\+\+ b\/|\s.{1,100} \| {1,10}\d{1,6} [+-]{1,100}$)/;

/** Lines that an attribution is broken into, at most. */
const ATTRIBUTION_LINES = 3;

/** Where the attribution begins that ends before the line `end`; `end` when there is none. */
function attributionBefore(lines: readonly string[], end: number): number {
  let last = end - 1;
  while (last >= 0 && lines[last]?.trim() === '') last--;
  for (let start = last; start >= 0 && last - start < ATTRIBUTION_LINES; start--) {
    const line = lines[start] ?? '';
    if (line.trim() === '' || QUOTE.test(line)) break;
    const joined = fold(lines.slice(start, last + 1).join(' ')).trim();
    if (joined.length < 500 && ATTRIBUTION.test(joined) && (start === 0 || lines[start - 1]?.trim() === ''))
      return start;
  }
  return end;
}

/** Without what others wrote and the lines that say so, and without patches. */
function ownLines(lines: readonly string[]): string[] {
  const patch = lines.findIndex((line) => PATCH.test(line));
  const text = patch < 0 ? lines : lines.slice(0, patch);
  const left = new Set<number>();
  for (const [i, line] of text.entries()) {
    if (!QUOTE.test(line)) continue;
    left.add(i);
    if (i > 0 && QUOTE.test(text[i - 1] ?? '')) continue;
    for (let each = attributionBefore(text, i); each < i; each++) left.add(each);
  }
  return text.filter((line, i) => !left.has(i) && !(line.length < 400 && WROTE.test(fold(line).trim())));
}

/** From here on the lines are not what the author has to say. */
function endOfBody(lines: readonly string[], author: string): number {
  const name = fold(author).trim();
  const given = name.split(' ')[0] ?? '';
  let said = false;
  for (const [i, line] of lines.entries()) {
    const plain = fold(line).trim();
    if (plain === '--') return i;
    if (said && plain.length < 60 && (CLOSING.test(plain) || SENT_WITH.test(plain))) return i;
    const signed = plain.replace(/^[-–—~*]{1,2} ?/, '');
    if (said && signed !== '' && (signed === name || signed === given) && i > 0) return i;
    said ||= plain !== '' && !GREETING.test(plain);
  }
  return lines.length;
}

const ITEM = /^\s{0,8}(?:[-*•–|]|\d{1,2}[.)])\s{1,8}/u;

/** A line was broken on purpose when the next word would have fitted into this width. */
const NARROWEST = 58;

function firstWord(line: string): number {
  const space = line.indexOf(' ');
  return space < 0 ? line.length : space;
}

/** Lines that were broken to fit a width are joined; items of lists stay apart. */
function passages(lines: readonly string[]): string[] {
  const found: string[] = [];
  let open = false;
  let last = '';
  for (const line of lines) {
    const text = line.replace(ITEM, '').trim();
    const apart = !open || ITEM.test(line) || last.endsWith(':') || last.length + firstWord(text) < NARROWEST;
    if (text === '') open = false;
    else if (apart) found.push(text);
    else found[found.length - 1] += ` ${text}`;
    if (text !== '') open = true;
    last = text;
  }
  return found;
}

const END = /[.!?…]{1,5}["'”’)»\]]{0,3}(?=\s)|[。！？]+["'”’)»」』]{0,3}|؟/gu;
const ABBREVIATION =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|nr|vs|e\.g|i\.e|etc|approx|inc|ltd|jr|sr|\p{L}|\d{1,2})\.$/iu;

function split(passage: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (const match of passage.matchAll(END)) {
    const end = match.index + match[0].length;
    if (ABBREVIATION.test(passage.slice(Math.max(start, end - 12), end))) continue;
    found.push(passage.slice(start, end).trim());
    start = end;
  }
  return [...found, passage.slice(start).trim()].filter((sentence) => sentence !== '');
}

/** `author` is how the signature would begin. */
export function sentencesOf(text: string, author = ''): string[] {
  const lines = ownLines(text.slice(0, MAX_TEXT).split(/\r\n|[\r\n\u2028\u2029]/));
  const body = lines.slice(0, endOfBody(lines, author));
  const greeted = body.findIndex((line) => line.trim() !== '');
  const first = fold(body[greeted] ?? '').trim();
  const from = first.length < 60 && GREETING.test(first) && /[,:!،]$|^[^.?]*$/u.test(first) ? greeted + 1 : 0;
  const found = passages(body.slice(from)).flatMap(split).slice(0, MAX_SENTENCES);
  return found.filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

const QUESTION = /[?？؟]["'”’)»」』]{0,3}$/u;
const WISH =
  /\b(?:please|could you|can you|would you|will you|we would like|i would like|we'd like|i'd like|we need|i need|let me know|let us know|tell me|send me|votes)\b/;
const PROMISE =
  /\b(?:i will|we will|i'll|we'll|i am going to|we are going to|you will (?:have|get|receive|hear)|i can send|we can send|i promise|we promise|will follow|i am bringing|i shall|we shall)\b/;
const PLEASANTRY =
  /^(?:thank|thanks|many thanks|thank you|best|congratulations|welcome|sorry|oh dear|i hope|hope you|vielen dank|merci|gracias)\b/;

export function isQuestion(sentence: string): boolean {
  return QUESTION.test(sentence);
}

/** A question, or a wish that somebody does something. */
export function isRequest(sentence: string): boolean {
  return isQuestion(sentence) || WISH.test(plainly(sentence));
}

export function isPromise(sentence: string): boolean {
  return !isQuestion(sentence) && PROMISE.test(plainly(sentence));
}

function plainly(sentence: string): string {
  return sentence.toLowerCase().replaceAll('’', "'");
}

/** How much a sentence tells of its message; the first ones tell more. */
function weight(sentence: string, position: number): number {
  const told = Math.min(contentStems(sentence).size, 12) / 12;
  const length = sentence.length > 180 ? -0.3 : 0;
  return (
    told +
    length +
    (isRequest(sentence) ? 0.5 : 0) +
    (isPromise(sentence) ? 0.3 : 0) +
    (/\d/.test(sentence) ? 0.2 : 0) -
    (PLEASANTRY.test(fold(sentence)) ? 0.6 : 0) -
    Math.min(position, 8) * 0.06
  );
}

/** The one sentence that tells most. */
export function gist(sentences: readonly string[]): string | undefined {
  let best: { sentence: string; weight: number } | undefined;
  for (const [i, sentence] of sentences.slice(0, 40).entries()) {
    const its = weight(sentence, i);
    if (!best || its > best.weight) best = { sentence, weight: its };
  }
  return best?.sentence;
}

export interface Match {
  sentence: string;
  /** Words of the question that it has. */
  words: number;
}

/** The sentences that have at least half of the words, best first. */
export function matching(sentences: readonly string[], wanted: ReadonlySet<string>): Match[] {
  if (wanted.size === 0) return [];
  const needed = Math.max(1, Math.ceil(Math.min(wanted.size, 6) / 2));
  return sentences
    .map((sentence) => ({ sentence, words: shared(wanted, contentStems(sentence)) }))
    .filter(({ words }) => words >= needed)
    .sort((a, b) => b.words - a.words);
}
