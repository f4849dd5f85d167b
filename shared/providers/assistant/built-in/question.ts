import type { Kind } from './kind.ts';
import { rules } from './rules.ts';

/** Parses a question. Only the asker's own words are parsed here: the text of mail is data. */

export interface Question {
  kind: Kind;
  /** As asked, in one line, without politeness. */
  text: string;
  /** A name, an address or a pronoun, as asked. */
  person: string | null;
  topic: string | null;
  /** The requested change, the question, or what cannot be done. */
  field: string | null;
  value: string | null;
}

/** Intents are read from this much of the beginning, and of the end when the beginning tells none. */
const READ = 600;

const CONTRACTIONS: [RegExp, string][] = [
  [/\b(who|what|when|where|how|she|he|it|that)['’]s\b/gi, '$1 is'],
  [/\b(what|who|they)['’]re\b/gi, '$1 are'],
  [/[‘’]/g, "'"],
];
const POLITE =
  /^(?:(?:hi|hello|hey|dear|ok|okay|so|well|please|kindly|thanks|thank you)\b(?: there\b| assistant\b)?|@?assistant\b|(?:can|could|would|will) you(?: please)?(?= (?!do\b|help\b))|(?:can|could|may) (?:i|we) (?:see|know|get|have)|(?:i|we)(?: would|'d) like (?:you )?(?:to (?:know|see))?|(?:i|we) (?:want|need) (?:you )?to(?: know| see)?|do you know|(?:tell|show) (?:me|us)|remind (?:me|us)(?= (?:who|what|when|where|which|how|of)\b)|let me (?:know|see)|give me|list|display)[\s,:!.]{1,5}/i;
const AFTERTHOUGHT = /[\s,]{1,3}(?:please|thanks|thank you|cheers)$/i;

/** One line without greeting, "please" and end marks. */
function plainly(text: string): string {
  let line = text.replace(/\s+/gu, ' ').trim();
  for (const [pattern, said] of CONTRACTIONS) line = line.replace(pattern, said);
  for (let i = 0; i < 6; i++) {
    const less = line
      .replace(POLITE, '')
      .replace(/^[\s,:;!.-]{1,20}/u, '')
      .replace(/[\s?!.,;:]{1,20}$/u, '')
      .replace(AFTERTHOUGHT, '');
    if (less === line) break;
    line = less;
  }
  return line;
}

function named(text: string | undefined): string | null {
  const name = text
    ?.trim()
    .replace(/^["“'‘]|["”'’]$/gu, '')
    .replace(/^(?:the (?:contact|person) |contact )/i, '')
    .replace(/'s$/i, '')
    .trim();
  return name || null;
}

function read(line: string): Question | null {
  for (const { kind, pattern, field } of rules) {
    const match = pattern.exec(line);
    if (!match) continue;
    const { person, topic, value, field: said } = match.groups ?? {};
    return {
      kind,
      text: line,
      person: named(person),
      topic: named(topic),
      field: said?.toLowerCase() ?? field ?? null,
      value: named(value),
    };
  }
  return null;
}

const FOLLOW_UP =
  /^(?:and|what about|how about|and what about)(?: from| by| with)? (?<person>[^?!;:]{1,60})$/i;

/** A pasted text has the question before or after it. */
function lastSentence(text: string): string {
  const end = text.slice(-READ).trim();
  return end.split(/\n|[.!?] /).at(-1) ?? end;
}

/** `earlier` are the previous questions, newest first, for questions like "and Tom?". */
export function readQuestion(text: string, earlier: readonly string[] = []): Question {
  const start = plainly(text.slice(0, READ));
  const found =
    read(start) ??
    read(start.replace(/^and /i, '')) ??
    (text.length > READ ? read(plainly(lastSentence(text))) : null);
  if (found) return found;
  const about = FOLLOW_UP.exec(start)?.groups?.person;
  const before = about && earlier[0] !== undefined ? readQuestion(earlier[0], earlier.slice(1, 4)) : null;
  if (before && before.kind !== 'other') return { ...before, person: named(about) };
  return { kind: 'other', text: start, person: null, topic: null, field: null, value: null };
}
