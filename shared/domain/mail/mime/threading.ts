/** Base subjects, by which messages join threads (docs/specification/mail.md, "Grouping"). */

const REPLY =
  're|aw|antw|antwort|sv|vs|rv|res|rif|ref|réf|r|odp|ynt|yan|vá|va|ha|απ|ατ|отв|на|回复|回覆|答复|答覆|返信|回信|답장|회신|hal|bls|trả lời|atb|tr re|הד|השב|رد';
const FORWARD =
  'fwd|fw|wg|tr|i|vb|vl|vs|enc|rv|doorst|pd|przek|İlt|ilt|továbbítás|tov|πρθ|προ|пер|пересл|转发|轉寄|轉發|転送|전달|trs|fyw|hb|הועבר|إعادة توجيه|vidarebefordrat';
const COUNT = '(?:\\s*[\\[(^]?\\d{1,3}[\\])]?)?';
const BLOB = /\[[^[\]]*\]\s*/y;
const REFWD = new RegExp(`(?:${REPLY}|${FORWARD})${COUNT}\\s*(?:\\[[^[\\]]*\\]\\s*)?[:：]\\s*`, 'iuy');
const FORWARD_FIRST = new RegExp(`^\\s*(?:\\[[^[\\]]*\\]\\s*)*(?:${withoutShared()})${COUNT}\\s*[:：]`, 'iu');
const MAX_SUBJECT = 1000;

/** Forward prefixes that mean a reply in no language. */
function withoutShared(): string {
  const replies = new Set(REPLY.split('|'));
  return FORWARD.split('|')
    .filter((word) => !replies.has(word))
    .join('|');
}

/** True when the first prefix of the subject marks a forward. */
export function isForwardSubject(subject: string | null): boolean {
  return FORWARD_FIRST.test((subject ?? '').slice(0, MAX_SUBJECT));
}

/**
 * The base subject (RFC 5256, 2.1) for comparison: without reply and forward prefixes in many languages, leading
 * [blobs], trailing `(fwd)` and surrounding `[fwd: ...]`; NFKC, lower case, single spaces. Only the first 1,000
 * characters count. Null gives an empty string.
 */
export function baseSubject(subject: string | null): string {
  let text = (subject ?? '')
    .slice(0, MAX_SUBJECT)
    .toWellFormed()
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim();
  for (;;) {
    const bare = withoutLeaders(withoutTrailers(text));
    const wrapped = /^\[fwd:(.*)\]$/iu.exec(bare);
    if (!wrapped) return bare.toLowerCase();
    text = wrapped[1]!.trim();
  }
}

function withoutTrailers(text: string): string {
  let rest = text.trimEnd();
  while (/\(fwd\)$/i.test(rest)) rest = rest.slice(0, -'(fwd)'.length).trimEnd();
  return rest;
}

function withoutLeaders(text: string): string {
  let at = 0;
  for (;;) {
    const prefixed = afterPrefix(text, at);
    const blob = prefixed === at ? afterMatch(BLOB, text, at) : prefixed;
    // A blob that is the whole remaining text is the subject itself (RFC 5256, step 4).
    if (blob === at || (prefixed === at && text.slice(blob).trim() === '')) return text.slice(at).trim();
    at = blob;
  }
}

/** The index after `[blob] Re:`, or `at` without such a prefix. */
function afterPrefix(text: string, at: number): number {
  let start = at;
  for (let next = afterMatch(BLOB, text, start); next > start; next = afterMatch(BLOB, text, start))
    start = next;
  const end = afterMatch(REFWD, text, start);
  return end > start ? end : at;
}

function afterMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
