import { Writable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ApiEvent, ApiResult } from '#shared/api/call.ts';
import { streamed } from '#shared/api/stream.ts';

/** The output to Lambda, byte for byte. */

/** A stream like the runtime's: it accepts `at_once` bytes before it applies backpressure. */
class Taken extends Writable {
  readonly pieces: Buffer[] = [];
  content_type: string | undefined;
  /** The most bytes that were buffered. */
  waiting = 0;

  setContentType(type: string): void {
    this.content_type = type;
  }

  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    this.waiting = Math.max(this.waiting, this.writableLength);
    this.pieces.push(piece);
    setImmediate(done);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.pieces);
  }
}

const event = (headers: Record<string, string> = {}) => ({ headers }) as unknown as ApiEvent;
const resultOf = (body: string, headers = {}): ApiResult => ({
  statusCode: 200,
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
});

async function take(result: ApiResult, sent = event()) {
  const out = new Taken();
  await streamed(() => Promise.resolve(result))(sent, out, undefined);
  const { bytes } = out;
  const end = bytes.indexOf(0);
  const metadata = JSON.parse(bytes.toString('utf8', 0, end));
  return { out, bytes, end, metadata, body: bytes.subarray(end + 8) };
}

test('the format: status and headers as JSON, eight zero bytes, the body', async () => {
  const { out, bytes } = await take(resultOf('{"ok":"ok"}'));
  expect(out.content_type).toBe('application/vnd.awslambda.http-integration-response');
  expect(bytes.toString('latin1')).toBe(
    `{"statusCode":200,"headers":{"Content-Type":"application/json"}}${'\0'.repeat(8)}{"ok":"ok"}`,
  );
});

test.each([
  ['nothing', ''],
  ['one piece exactly', 'x'.repeat(65_536)],
  ['pairs across every end of a piece', `x${'😀'.repeat(200_000)}`],
  ['characters of one to three bytes', 'aé€'.repeat(100_000)],
])('writes the whole body: %s', async (_, body) => {
  expect((await take(resultOf(body))).body.toString('utf8')).toBe(body);
});

test('waits with each piece until those before it are accepted', async () => {
  const { out, body } = await take(resultOf('x'.repeat(8_000_000)));
  expect(body).toHaveLength(8_000_000);
  expect(out.waiting).toBeLessThan(200_000);
});

test('returns an error before the response as a response', async () => {
  const refused: ApiResult = { statusCode: 404, headers: { 'X-Request-Id': 'r' }, body: '{"error":{}}' };
  const { metadata, body } = await take(refused);
  expect(metadata).toEqual({ statusCode: 404, headers: { 'X-Request-Id': 'r' } });
  expect(body.toString()).toBe('{"error":{}}');
});

describe('compression, which API Gateway has for buffered responses only', () => {
  const large = resultOf(JSON.stringify({ text: 'words '.repeat(50_000) }), { Vary: 'Origin' });

  test.each(['gzip', 'deflate, gzip;q=0.5', 'GZIP', 'br;q=1.0, gzip'])(
    'for Accept-Encoding: %s',
    async (coding) => {
      const { metadata, body } = await take(large, event({ 'accept-encoding': coding }));
      expect(metadata.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Origin, Accept-Encoding' });
      expect(gunzipSync(body).toString()).toBe(large.body);
      expect(body.length).toBeLessThan(large.body.length / 3);
    },
  );

  test.each(['', 'identity', 'gzip;q=0', 'gzip;q=0.000', 'xgzip', 'br'])('not for "%s"', async (coding) => {
    const { metadata, body } = await take(large, event(coding === '' ? {} : { 'Accept-Encoding': coding }));
    expect(metadata.headers).not.toHaveProperty('Content-Encoding');
    expect(metadata.headers.Vary).toBe('Origin, Accept-Encoding');
    expect(body.toString()).toBe(large.body);
  });

  test('not for small responses', async () => {
    const { metadata } = await take(resultOf('{}'), event({ 'accept-encoding': 'gzip' }));
    expect(metadata.headers).toEqual({ 'Content-Type': 'application/json' });
  });
});
