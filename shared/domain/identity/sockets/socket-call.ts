/** An event of a WebSocket API: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-integrations.html */
export interface SocketCall {
  requestContext: { connectionId: string };
  queryStringParameters?: Record<string, string | undefined> | null;
  body?: string | null;
}

/** Longer ones are not parsed. */
const PING_LENGTH = 100;

/** `{"type":"ping"}`. */
export function isPing(body: string | null | undefined): boolean {
  if (!body || body.length > PING_LENGTH) return false;
  try {
    return JSON.parse(body)?.type === 'ping';
  } catch {
    return false;
  }
}
