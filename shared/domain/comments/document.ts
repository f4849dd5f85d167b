import { isUuid } from '../../ids.ts';

/** The rich-text document of a comment: a ProseMirror document (https://prosemirror.net/docs/guide/#doc) as JSON. */

interface DocumentNode {
  type?: unknown;
  attrs?: unknown;
  content?: unknown;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The document, or undefined when the text is no JSON of one. */
export function readDocument(text: string): DocumentNode | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isObject(value) && value.type === 'doc' ? value : undefined;
}

function mentionedId(node: DocumentNode): string | undefined {
  const id = node.type === 'mention' && isObject(node.attrs) ? node.attrs.id : undefined;
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : undefined;
}

/**
 * The ids of mentioned users in the order of the document, each once. Keeps its own stack: a document may be nested
 * far deeper than functions can call each other. The assistant's reserved id is no user's and left out.
 */
export function mentionedIds(document: DocumentNode): string[] {
  const found = new Set<string>();
  const left: unknown[] = [document];
  while (left.length > 0) {
    const value = left.pop();
    if (!isObject(value)) continue;
    const id = mentionedId(value);
    if (id !== undefined) found.add(id);
    const children = Array.isArray(value) ? value : value.content;
    if (!Array.isArray(children)) continue;
    for (let i = children.length - 1; i >= 0; i--) left.push(children[i]);
  }
  return [...found];
}
