import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { BillsAccounts } from '#shared/domain/identity/billing/port.ts';
import { inviteToSignUp } from '#shared/domain/identity/waitlist/invite.ts';
import type { Waitlistee } from '#shared/domain/identity/waitlist/waitlistee.ts';
import { ApiError, type ErrorCode } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf } from '../../../support/failures.ts';
import { failCall, type Refusal, refuse } from '../../../support/faults.ts';
import { reduced, STRIDE } from '../../../support/long.ts';
import { type AccountBody, givenRequest, signUp, storedOf } from '../../../support/sign-up.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const TERMS = {
  slug: 'terms',
  version: '1',
  title: 'Terms',
  url: 'https://acme.example/terms',
  required: true,
};

describe('signing up is all or nothing', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
    workspace.ctx.config.terms = [TERMS];
  });
  afterAll(() => workspace.stop());
  afterEach(() => {
    workspace.ctx.stand_ins = {};
  });

  /** With a token and documents: every kind of write. */
  async function given(): Promise<AccountBody & { email_address: string }> {
    const request = await givenRequest(workspace);
    const invited = await inviteToSignUp(workspace.table, request.email_address, new Date());
    const documents = [{ slug: 'terms', version: '1' }];
    return { ...request, signup_token: invited?.token ?? '', documents, acceptance_method: 'clickwrap' };
  }
  const send = (request: AccountBody) => signUp(workspace, request);
  const outcomeOf = (request: AccountBody) =>
    send(request).then(
      ({ status }) => String(status),
      ({ status, code }) => `${status} ${code}`,
    );

  it.each(['before', 'after'] as const)(
    'fails %s any call: the same request works, or worked',
    async (when) => {
      for (let call = 1; ; call += STRIDE) {
        const request = await given();
        const fault = failCall(workspace.table, call, when);
        const first = await outcomeOf(request);
        fault.remove();
        if (!fault.hit) break;
        const stored = await storedOf(workspace, request.email_address);
        if (first === '201') expect(stored).toMatchObject({ account: {}, owner: {}, sessions: [{}] });
        else expect([stored, first]).toEqual([undefined, expect.stringMatching(/^500 /)]);
        expect(await outcomeOf(request)).toBe(first === '201' ? '401 invalid_credentials' : '201');
        const waited = await workspace.table.get<Waitlistee>(keys.waitlistee(request.email_address));
        expect(waited?.status).toBe('joined');
      }
    },
  );

  /** The writes of the transaction, in their order. */
  const writes: [write: string, code: string][] = [
    ['the code', '401 invalid_credentials'],
    ['the token', '400 invalid_signup_token'],
    ['who waits', '400 invalid_signup_token'],
    ['the account', '500 account_creation_failed'],
    ['the owner', '500 user_creation_failed'],
    ['the address', '409 email_address_in_use'],
    ['the mailbox', '500 mailbox_creation_failed'],
    ['the session', '500 session_creation_failed'],
    ['the access token', '500 could_not_save_access_token'],
  ];

  it.each(writes.map(([write, code], place) => [write, code, place] as const))(
    'a refused write of %s is %s, and leaves nothing',
    async (_, code, place) => {
      const request = await given();
      const reasons = Array.from({ length: 13 }, (_, i) => ({
        Code: i === place ? 'ConditionalCheckFailed' : 'None',
      }));
      const refusal = { type: 'TransactionCanceledException', reasons };
      const refused = refuse(workspace.table, 'TransactWriteItemsCommand', [refusal]);
      expect(await outcomeOf(request)).toBe(code);
      refused.remove();
      expect(await storedOf(workspace, request.email_address)).toBeUndefined();
      expect(await outcomeOf(request)).toBe('201');
    },
  );

  it.each<[string, Refusal]>([
    ['refuses all writes', { type: 'AccessDeniedException' }],
    ['says that a write is too large', { type: 'ValidationException', message: 'Item size has exceeded' }],
  ])('500 account_creation_failed when the table %s', async (_, refusal) => {
    const request = await given();
    const refused = refuse(workspace.table, 'TransactWriteItemsCommand', [refusal]);
    expect(await outcomeOf(request)).toBe('500 account_creation_failed');
    refused.remove();
    expect(await outcomeOf(request)).toBe('201');
  });

  it('of many requests with one code at once, one opens an account', async () => {
    const request = await given();
    const all = await Promise.all(Array.from({ length: reduced(12) }, () => outcomeOf(request)));
    expect(all.filter((each) => each === '201')).toHaveLength(1);
    // Tries that run at once are counted before they are compared.
    for (const each of all)
      expect(each).toMatch(/^(201|401 invalid_credentials|400 invalid_signup_token|409 )/);
    const { sessions } = (await storedOf(workspace, request.email_address)) ?? {};
    expect(sessions).toHaveLength(1);
  });

  it('signing up and an invitation to another account, of one address at once: the address is of who signed up', async () => {
    const request = await given();
    const { email_address } = request;
    const invite = () => workspace.ada.session.createUser({ body: { user: { email_address } } });
    // Ada has not accepted them.
    workspace.ctx.config.terms = [{ ...TERMS, required: false }];
    const [signed, invited] = await Promise.allSettled([send(request), invite()]);
    expect(signed).toMatchObject({ value: { status: 201 } });
    if (invited?.status === 'rejected')
      expect(invited.reason).toMatchObject({ code: 'email_address_in_use' });
    else expect(invited?.value.body.user.status).toBe('invited');
    expect(await codeOf(invite())).toBe('409 email_address_in_use');
    workspace.ctx.config.terms = [TERMS];
  });

  describe('where the service is paid for', () => {
    const shown = {
      ...{ provider: 'stripe' as const, status: 'trialing', plan: 'team', seats: 1 },
      ...{ trial_ends_at: null, current_period_ends_at: null, card: null },
    };
    const reference = { customer_id: 'cus_1', subscription_id: 'sub_1', billing: shown, readings: 0 };

    /** A provider that remembers what it was asked, in place of the network. */
    function paying(replaced: Partial<BillsAccounts['billing']> = {}): string[] {
      const asked: string[] = [];
      const noted =
        <Args extends unknown[], T>(name: string, act: (...args: Args) => Promise<T>) =>
        (...args: Args) => {
          asked.push(name);
          return act(...args);
        };
      const billing: BillsAccounts['billing'] = {
        open: noted('open', replaced.open ?? (async () => reference)),
        read: noted('read', replaced.read ?? (async () => shown)),
      };
      workspace.ctx.stand_ins = { billing };
      return asked;
    }

    it('keeps what names the account at the provider, and shows what it pays', async () => {
      let draft: object = {};
      const asked = paying({
        open: async (_, given) => {
          draft = given;
          return reference;
        },
      });
      const request = await given();
      const { account } = (await send(request)).body;
      const { email_address } = request;
      expect(draft).toEqual({ account_id: account.id, name: 'Acme', email_address });
      expect(account.billing).toEqual(shown);
      const stored = await workspace.table.get<Account>(keys.account(account.id));
      expect([stored?.billing_reference, asked]).toEqual([reference, ['open', 'read']]);
    });

    const failing = (error: Error) => async () => {
      throw error;
    };
    const coded = (code: ErrorCode) => failing(new ApiError(code));
    it.each<[string, Partial<BillsAccounts['billing']>, string, string[]]>([
      ['a declined card', { open: coded('card_declined') }, '402 card_declined', ['open']],
      [
        'a subscription that fails',
        { open: coded('subscription_failed') },
        '402 subscription_failed',
        ['open'],
      ],
      [
        'no answer',
        { open: coded('could_not_create_payments_account') },
        '502 could_not_create_payments_account',
        ['open'],
      ],
      [
        'no subscription',
        { open: coded('payments_account_creation_failed') },
        '502 payments_account_creation_failed',
        ['open'],
      ],
    ])('%s leaves nothing, and the code stays', async (_, replaced, code, asks) => {
      const asked = paying(replaced);
      const request = await given();
      expect(await outcomeOf(request)).toBe(code);
      expect(asked).toEqual(asks);
      expect(await storedOf(workspace, request.email_address)).toBeUndefined();
      paying();
      expect(await outcomeOf(request)).toBe('201');
    });

    it('asks nobody to pay for a request that is refused', async () => {
      const asked = paying();
      const { user } = workspace.ada;
      const taken = { ...(await given()), ...(await givenRequest(workspace, user.email_address)) };
      expect(await codeOf(send({ ...taken, signup_token: undefined as never }))).toBe(
        '409 email_address_in_use',
      );
      const bad = { ...(await given()), signup_token: 'x' };
      expect(await codeOf(send(bad))).toBe('400 invalid_signup_token');
      expect(asked).toEqual([]);
    });

    it('201 when the account is stored, and only the response was lost', async () => {
      const asked = paying();
      const request = await given();
      const lost = refuse(workspace.table, 'TransactWriteItemsCommand', [
        { type: 'AccessDeniedException', done: true },
      ]);
      expect(await outcomeOf(request)).toBe('201');
      lost.remove();
      expect(asked).toEqual(['open', 'read']);
    });
  });
});
