import type { ErrorCode } from '#shared/errors.ts';
import type { ApiEvent } from './call.ts';

/** The segments that an operation's path has, also when the gateway matched any path. */
function lengthOf({ resource, pathParameters }: ApiEvent): number {
  const matched = resource.replace('{proxy+}', pathParameters?.proxy ?? '');
  return matched.split('/').filter((segment) => segment !== '').length;
}

/** What stands before the API's own paths: `/dev` for a stage, nothing for the local run. */
function prefixOf(event: ApiEvent): string {
  const segments = (event.requestContext.path ?? event.path).split('/').filter((segment) => segment !== '');
  return segments
    .slice(0, Math.max(0, segments.length - lengthOf(event)))
    .map((segment) => `/${segment}`)
    .join('');
}

/**
 * The address of a page of the documentation: absolute where the gateway says under which domain it was called
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html).
 */
export function docsUrl(event: ApiEvent, page = ''): string {
  const { domainName } = event.requestContext;
  // Set by API Gateway, which replaces what a client sends.
  const scheme = event.headers?.['X-Forwarded-Proto'] === 'http' ? 'http' : 'https';
  const origin = domainName ? `${scheme}://${domainName}` : '';
  return `${origin}${prefixOf(event)}/docs${page}`;
}

/** Where the documentation explains an error code. */
export const errorUrl = (event: ApiEvent, code: ErrorCode): string => docsUrl(event, `/errors#${code}`);
