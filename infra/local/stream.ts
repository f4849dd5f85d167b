import type { ServerResponse } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ApiEvent, ApiResult } from '#shared/api/call.ts';
import type { Handler } from '#shared/api/handle.ts';
import { DELIMITER, streamed } from '#shared/api/stream.ts';
import { describeError, getLogger } from '#shared/log.ts';

/**
 * Reads streams as API Gateway reads them from Lambda:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html
 */

/** Bytes within which status, headers and delimiter must be complete. */
const METADATA_BYTES = 16 * 1024;

/** Bytes of a stream: https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html */
const STREAM_BYTES = 200 * 1024 * 1024;

export type StreamedResult = Pick<ApiResult, 'statusCode' | 'headers'> & {
  stream: Readable;
  /** The body of an error, before it was compressed: a verbose gateway prints its code and fields. */
  error: string | undefined;
};

interface Beginning {
  metadata: Pick<ApiResult, 'statusCode' | 'headers'>;
  /** The part of the body that arrived with them. */
  rest: Buffer;
}

async function readBeginning(chunks: AsyncIterator<Buffer>): Promise<Beginning> {
  let read = Buffer.alloc(0);
  for (;;) {
    const end = read.indexOf(DELIMITER);
    if (end >= 0 && end + DELIMITER.length <= METADATA_BYTES)
      return {
        metadata: JSON.parse(read.toString('utf8', 0, end)),
        rest: read.subarray(end + DELIMITER.length),
      };
    const { value, done } = await chunks.next();
    if (done || read.length > METADATA_BYTES) throw new Error('A stream began without status and headers');
    read = Buffer.concat([read, value]);
  }
}

async function* bodyOf(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  let sent = 0;
  for (let next = first; ; ) {
    sent += next.length;
    if (sent > STREAM_BYTES) throw new Error(`A stream has more than ${STREAM_BYTES} bytes`);
    yield next;
    const { value, done } = await chunks.next();
    if (done) return;
    next = value;
  }
}

/** Status and headers as soon as they arrive, and the body as a stream. */
export async function callStreaming(
  handler: Handler,
  event: ApiEvent,
  context: unknown,
): Promise<StreamedResult> {
  const out = Object.assign(new PassThrough(), { setContentType: () => undefined });
  let error: string | undefined;
  const noting: Handler = async (...call) => {
    const result = await handler(...call);
    if (result.statusCode >= 400) error = result.body;
    return result;
  };
  streamed(noting)(event, out, context).catch((failure: Error) => out.destroy(failure));
  const chunks = out[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const { metadata, rest } = await readBeginning(chunks);
  return { ...metadata, stream: Readable.from(bodyOf(rest, chunks)), error };
}

/** A stream that fails half-way closes the connection: the status is already sent. */
export async function writeStreamed(response: ServerResponse, result: StreamedResult): Promise<void> {
  response.writeHead(result.statusCode, result.headers);
  try {
    await pipeline(result.stream, response);
  } catch (error) {
    getLogger().error('stream ended early', { error: describeError(error) });
  }
}
