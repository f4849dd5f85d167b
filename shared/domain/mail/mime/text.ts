/** A string that can be stored and sent anywhere: no NUL, lone surrogates replaced by U+FFFD. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** White space and control characters collapsed to single spaces, trimmed; at most `max` code points. */
export function oneLine(text: string, max: number): string {
  const folded = storable(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return folded.length <= max
    ? folded
    : Array.from(folded.slice(0, max * 2))
        .slice(0, max)
        .join('')
        .trimEnd();
}

/** The beginning of `text` that fits into `max` bytes of UTF-8, and whether it was cut. */
export function cutToBytes(text: string, max: number): { text: string; cut: boolean } {
  if (text.length * 3 <= max || Buffer.byteLength(text) <= max) return { text, cut: false };
  const bytes = Buffer.from(text);
  let end = max;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return { text: bytes.toString('utf8', 0, end), cut: true };
}
