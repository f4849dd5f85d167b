/** The snippets of the search: text whose hits are in `<mark>`, with entities (docs/specification/search.md). */

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

const plain = (text: string) =>
  text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity);

/** The pieces of a snippet. Any other tag is text. */
export function piecesOf(snippet: string): { text: string; hit: boolean }[] {
  return snippet
    .split(/<mark>(.*?)<\/mark>/s)
    .map((text, i) => ({ text: plain(text), hit: i % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
