import type { ApiEvent } from '#shared/api/call.ts';

/** Events as AWS makes them. */

/** https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway.html#apigateway-example-event */
export function apiEvent(resource: string, httpMethod: string, more: Partial<ApiEvent> = {}): ApiEvent {
  const names = [...resource.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name as string);
  return {
    resource,
    path: resource.replaceAll(/\{\w+\+?\}/g, 'x'),
    httpMethod,
    headers: { Accept: '*/*' },
    multiValueHeaders: { Accept: ['*/*'] },
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: names.length > 0 ? Object.fromEntries(names.map((name) => [name, 'x'])) : null,
    stageVariables: null,
    requestContext: { requestId: 'r1', stage: 'v1', identity: { sourceIp: '203.0.113.7' } },
    body: null,
    isBase64Encoded: false,
    ...more,
  } as unknown as ApiEvent;
}

export const emptyBatch = { Records: [] };

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-integrations.html */
export const socketEvent = { requestContext: { connectionId: 'Lx2Yd6kXLPECGCg=' }, isBase64Encoded: false };

/** https://docs.aws.amazon.com/lambda/latest/dg/services-eventbridge.html: Scheduler's default input. */
export const scheduled = {
  version: '0',
  'detail-type': 'Scheduled Event',
  source: 'aws.scheduler',
  detail: '{}',
};

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Of a proxy integration, whole or streamed: metadata, eight zero bytes, body.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/response-streaming-lambda-configure.html
 */
export function answerOf(posted: string): Answer {
  const [head = '', ...rest] = posted.split('\0'.repeat(8));
  const { statusCode, headers, body = rest[0] } = JSON.parse(head);
  return { status: statusCode, headers, body };
}
