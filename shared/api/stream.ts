import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { ApiEvent, ApiResult } from './call.ts';
import type { Handler } from './handle.ts';
import { acceptsGzip } from './negotiate.ts';

/**
 * Streams responses that are larger than Lambda returns at once. A stream is JSON with status and headers, eight zero
 * bytes, and the body: https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html
 */
export type ResponseStream = Writable & { setContentType(type: string): void };

export type StreamHandler = (event: ApiEvent, out: ResponseStream, context: unknown) => Promise<void>;

/** The name of this format in Lambda's Node runtime. */
const CONTENT_TYPE = 'application/vnd.awslambda.http-integration-response';
export const DELIMITER = Buffer.alloc(8);

/** Characters. */
const PIECE = 64 * 1024;

/** UTF-8 in pieces, so that the whole text is never encoded at once. */
function* piecesOf(text: string): Generator<Buffer> {
  for (let start = 0; start < text.length; ) {
    const last = text.charCodeAt(start + PIECE - 1);
    const splitsPair = last >= 0xd800 && last < 0xdc00;
    const end = start + PIECE + (splitsPair ? 1 : 0);
    yield Buffer.from(text.slice(start, end));
    start = end;
  }
}

/** Characters. Below this, compression saves too little. */
const COMPRESS_FROM = 1_024;

/**
 * API Gateway does not compress streams, and sends what is beyond 10 MB at 2 MB a second, so compression happens here.
 */
async function write(event: ApiEvent, result: ApiResult, out: ResponseStream): Promise<void> {
  const { body, isBase64Encoded, headers, ...rest } = result;
  const large = body.length >= COMPRESS_FROM;
  const compress = large && acceptsGzip(event);
  const about = {
    ...headers,
    ...(large ? { Vary: [headers.Vary, 'Accept-Encoding'].filter(Boolean).join(', ') } : {}),
    ...(compress ? { 'Content-Encoding': 'gzip' } : {}),
  };
  out.setContentType(CONTENT_TYPE);
  out.write(JSON.stringify({ ...rest, headers: about }));
  out.write(DELIMITER);
  const pieces = Readable.from(piecesOf(body));
  // Speed first: level 1 shrinks text to a third, and higher levels take several times as long.
  if (compress) await pipeline(pieces, createGzip({ level: constants.Z_BEST_SPEED }), out);
  else await pipeline(pieces, out);
}

/** Streams the response of a handler. Errors become responses before the stream begins. */
export function streamed(handler: Handler): StreamHandler {
  return async (event, out, context) => write(event, await handler(event, context), out);
}
