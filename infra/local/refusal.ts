import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiResult } from '#shared/api/call.ts';
import { errorResponse } from '#shared/api/respond.ts';
import { ApiError } from '#shared/errors.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { gatewayHeaders } from '../aws/gateway-definition.ts';

/** The gateway's own response to an error, with a line in the log. */
export function refusal(error: unknown, request_id: string, browsers: boolean): ApiResult {
  const known = error instanceof ApiError ? error : new ApiError('error');
  const doc_url = `/docs/errors#${known.code}`;
  const { status, body } = errorResponse(known, { request_id, doc_url });
  if (known === error) getLogger().warn('gateway refused', { request_id, status, error_code: known.code });
  else getLogger().error('gateway failure', { request_id, error: describeError(error) });
  const headers = {
    'Content-Type': 'application/json',
    'X-Request-Id': request_id,
    ...gatewayHeaders(browsers),
  };
  return { statusCode: status, headers, body };
}

/** Requests without a response yet, by connection. */
export class OpenRequests {
  private readonly bySocket = new WeakMap<Duplex, Set<ServerResponse>>();

  add(socket: Duplex, response: ServerResponse): void {
    const open = this.bySocket.get(socket) ?? new Set();
    this.bySocket.set(socket, open.add(response));
    response.once('close', () => open.delete(response));
  }

  /** Resolves when all complete requests have responses: incomplete ones get none. */
  async settled(socket: Duplex): Promise<void> {
    const open = [...(this.bySocket.get(socket) ?? [])].filter(({ req }) => req.complete);
    await Promise.all(open.map((response) => response.writableFinished || once(response, 'close')));
  }
}

/** The error code for what Node's parser reports about a malformed request. */
function codeOf(error: NodeJS.ErrnoException) {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return error.code === 'HPE_INVALID_METHOD' ? 'method_not_allowed' : 'invalid_request';
}

/** Responds to malformed requests, after the earlier ones on the connection. */
export async function refuseUnparsed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  open: OpenRequests,
  browsers: boolean,
): Promise<void> {
  await open.settled(socket);
  if (!socket.writable) return;
  const known = error instanceof ApiError ? error : new ApiError(codeOf(error));
  const { statusCode, headers, body } = refusal(known, randomUUID(), browsers);
  const lines = Object.entries({
    ...headers,
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`, ...lines, '', body].join('\r\n'));
}
