import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';
import { limitWaitlist } from '#shared/domain/identity/waitlist/limit.ts';
import { addToWaitlist } from '#shared/domain/identity/waitlist/store.ts';
import { waitlisteeDraft } from '#shared/domain/identity/waitlist/waitlistee.ts';

export const createWaitlistee = route('createWaitlistee', {
  method: 'POST',
  path: '/waitlistees',
  access: 'public',
  summary: 'Join the waitlist',
  description:
    'For people without an account. The response is the same whether or not the address was there; who is there stays as first written. At most 5 an hour from one address of the internet.',
  body: { waitlistee: waitlisteeDraft },
  examples: { body: { waitlistee: { email_address: 'ada@acme.example', name: 'Ada Lovelace' } } },
  returns: { 200: okResponse },
  uses: ['table:write'],
});

export const handler = handle(createWaitlistee, async ({ ctx, body }) => {
  await limitWaitlist(ctx);
  await addToWaitlist(ctx.table, body.waitlistee, ctx.now);
  return ok;
});
