import type { Header, HeaderLine } from 'postal-mime';

/** What `mime-reader.ts` uses of postal-mime 4.0.0 beside its types. */
export interface Internals {
  /** The parser takes bytes by lines; `currentNode` is the part that the next one belongs to. */
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
  currentNode: Node;
  root: Node;
  /** Of the open multiparts, the innermost last. */
  boundaries: { value: Uint8Array }[];
  finalize(): Promise<void>;
  /** Messages inside the message are files, not text. */
  forceRfc822Attachments: boolean;
  collectNode(node: Node, alternative: false, related: false): Promise<void>;
  collectAttachment(node: Node, content: Uint8Array | ArrayBuffer): void;
  renderTextContent(): void;
  textContent: { plain?: string; html?: string };
}

export interface Node {
  state: 'header' | 'body' | 'finished';
  headers: Header[];
  rawHeaderLines: HeaderLine[];
  contentType: { parsed: StructuredField; multipart: string | false };
  contentDisposition: { parsed: StructuredField };
  contentTransferEncoding: { encoding: string };
  contentId?: string;
  contentDecoder: ContentDecoder | null;
  content: Uint8Array | null;
  childNodes: Node[];
  feed(line: Uint8Array): void;
  getTextContent(): string;
}

interface StructuredField {
  value: string;
  params: Record<string, string | undefined>;
}

interface ContentDecoder {
  update(bytes: Uint8Array): void;
  finalize(): Promise<Uint8Array>;
}
