import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';

export const throttleCheck = route('throttleCheck', {
  method: 'GET',
  path: '/accounts/throttle_check',
  access: 'public',
  summary: 'Check the rate limits',
  description:
    'With a credential the response has its `RateLimit-*` headers, whatever API access, tier and terms allow. The ' +
    'check counts as a request, and is 429 when there are too many. Without a credential nothing is counted.',
  returns: { 200: okResponse },
  errors: ['invalid_credentials'],
  uses: ['table:write'],
  optional_credential: true,
});

export const handler = handle(throttleCheck, () => ok);
