/** Documents as the app's editor writes them (ProseMirror JSON). */

export interface DocumentNode {
  type: string;
  text?: string;
  attrs?: Record<string, unknown>;
  content?: DocumentNode[];
}

export const mention = (id: string): DocumentNode => ({ type: 'mention', attrs: { id } });

/** One paragraph. */
export function documentOf(...content: DocumentNode[]): string {
  return JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', content }] });
}

/** A paragraph that mentions each of the users. */
export function mentioning(...ids: string[]): string {
  return documentOf({ type: 'text', text: 'Hello ' }, ...ids.map(mention));
}
