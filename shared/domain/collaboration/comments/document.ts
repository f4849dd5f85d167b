import { isUuid } from '#shared/ids.ts';

/** The rich-text document of a comment: a ProseMirror document (https://prosemirror.net/docs/guide/#doc) as JSON. */

interface DocumentNode {
  type?: unknown;
  attrs?: unknown;
  text?: unknown;
  content?: unknown;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The document; undefined when the text is not the JSON of one. */
export function readDocument(text: string): DocumentNode | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isObject(value) && value.type === 'doc' ? value : undefined;
}

/** The reserved mention id of the assistant (docs/specification/comments.md, rule 2), which no user has. */
const ASSISTANT = 'assistant';

/** Block nodes end a line (https://prosemirror.net/docs/ref/#model.NodeSpec.inline): all nodes except these. */
const INLINE = new Set(['text', 'mention', 'emoji', 'image']);

/** What a document contains. */
export interface DocumentContent {
  /** The ids of mentioned users in document order, without duplicates. */
  mentioned_ids: string[];
  /** Its plain text. */
  text: string;
  /** Offsets in the text of the mentions of the assistant. */
  questions: number[];
}

function attributesOf(node: DocumentNode): Record<string, unknown> {
  return isObject(node.attrs) ? node.attrs : {};
}

/** The text of a node, without its children. */
function ownText(node: DocumentNode): string {
  if (node.type === 'text') return typeof node.text === 'string' ? node.text : '';
  if (node.type === 'hardBreak') return '\n';
  if (node.type !== 'mention') return '';
  const { id, label } = attributesOf(node);
  return id === ASSISTANT || typeof label !== 'string' ? '' : `@${label}`;
}

/** Reads the document in order. Uses its own stack: a document may be nested deeper than the call stack allows. */
export function readContent(document: DocumentNode): DocumentContent {
  const mentioned = new Set<string>();
  const pieces: string[] = [];
  const questions: number[] = [];
  let length = 0;
  const write = (piece: string) => {
    pieces.push(piece);
    length += piece.length;
  };
  const left: unknown[] = [document];
  while (left.length > 0) {
    const node = left.pop();
    if (typeof node === 'string') write(node);
    if (!isObject(node)) continue;
    const { id } = node.type === 'mention' ? attributesOf(node) : {};
    if (id === ASSISTANT) questions.push(length);
    else if (typeof id === 'string' && isUuid(id)) mentioned.add(id.toLowerCase());
    write(ownText(node));
    const children = Array.isArray(node) ? node : node.content;
    if (!Array.isArray(children)) continue;
    if (!INLINE.has(String(node.type))) left.push('\n');
    for (let i = children.length - 1; i >= 0; i--) left.push(children[i]);
  }
  return { mentioned_ids: [...mentioned], text: pieces.join(''), questions };
}

/** The text after a mention of the assistant, by index; undefined when there is none, or nothing after it. */
export function questionAfter({ text, questions }: DocumentContent, mention: number): string | undefined {
  const start = questions[mention];
  const question = start === undefined ? '' : text.slice(start).trim();
  return question === '' ? undefined : question;
}
