import type { Header, HeaderLine } from 'postal-mime';

/** Internals of postal-mime 4.0.0 that `mime-reader.ts` uses and its types omit. */
export interface Internals {
  /** The parser takes bytes by lines; `currentNode` is the part of the next line. */
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
  currentNode: Node;
  root: Node;
  /** The open multiparts, the innermost last. */
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
  parentNode?: Node;
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
