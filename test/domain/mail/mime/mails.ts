/** Builds raw messages line by line, because the tests need malformed ones. */
export interface Part {
  headers?: string[];
  content: string | Buffer;
}

/** A message of header lines and a body; strings are written as Latin-1 where they hold raw bytes, else UTF-8. */
export function mail(headers: string[], body: string | Buffer = 'text\r\n'): Buffer {
  return Buffer.concat([Buffer.from(`${headers.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/** A multipart body with its Content-Type line; Buffers become base64. */
export function multipart(type: string, parts: Part[], boundary = 'b1'): { header: string; body: Buffer } {
  const pieces = parts.map(({ headers = [], content }) => {
    const encoded = Buffer.isBuffer(content) ? ['Content-Transfer-Encoding: base64'] : [];
    const text = Buffer.isBuffer(content) ? content.toString('base64').replace(/.{76}/g, '$&\r\n') : content;
    return `--${boundary}\r\n${[...headers, ...encoded].map((line) => `${line}\r\n`).join('')}\r\n${text}\r\n`;
  });
  return {
    header: `Content-Type: multipart/${type}; boundary="${boundary}"`,
    body: Buffer.from(`${pieces.join('')}--${boundary}--\r\n`),
  };
}

/** A multipart message with the usual header fields. */
export function multipartMail(type: string, parts: Part[], headers: string[] = []): Buffer {
  const { header, body } = multipart(type, parts);
  return mail(['From: Ann Lee <ann@a.example>', ...headers, header], body);
}
