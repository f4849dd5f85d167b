import type { ApiEvent } from './call.ts';

/** Where the service is, as the gateway says. */

/** The segments that an operation's path has, also when the gateway matched any path. */
function lengthOf({ resource, pathParameters }: ApiEvent): number {
  const matched = resource.replace('{proxy+}', pathParameters?.proxy ?? '');
  return matched.split('/').filter((segment) => segment !== '').length;
}

/** What stands before the API's own paths: `/dev` for a stage, nothing for the local run. */
export function prefixOf(event: ApiEvent): string {
  const segments = (event.requestContext.path ?? event.path).split('/').filter((segment) => segment !== '');
  return segments
    .slice(0, Math.max(0, segments.length - lengthOf(event)))
    .map((segment) => `/${segment}`)
    .join('');
}

/** API Gateway sets the header, and replaces what a client sends. */
export const isPlainHttp = ({ headers }: ApiEvent): boolean => headers?.['X-Forwarded-Proto'] === 'http';

/**
 * The origin of the service; undefined where the gateway does not say under which domain it was called
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html).
 */
export function originOf(event: ApiEvent): string | undefined {
  const { domainName } = event.requestContext;
  return domainName ? `${isPlainHttp(event) ? 'http' : 'https'}://${domainName}` : undefined;
}

/** What the addresses of operations begin with. */
export function baseUrlOf(event: ApiEvent): string {
  return `${originOf(event) ?? ''}${prefixOf(event)}`;
}
