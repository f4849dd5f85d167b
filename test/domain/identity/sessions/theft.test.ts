import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticate } from '#shared/domain/identity/credentials/authenticate.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { refreshSession } from '#shared/domain/identity/sessions/refresh.ts';
import { type RefreshToken, readRefreshToken } from '#shared/domain/identity/sessions/refresh-token.ts';
import { refusalOf } from '#shared/domain/identity/sessions/refusal.ts';
import { longIt, rounds } from '../../../support/long.ts';
import { givenSession, storedSession, visit } from '../../../support/sessions.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** An owner and a thief with the same session, in any order of what they do; responses get lost. */

type Step =
  | { does: 'refresh'; who: 'owner' | 'thief'; lost: boolean }
  | { does: 'steal' }
  | { does: 'both' }
  | { does: 'wait'; seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constant('refresh' as const),
    who: fc.constantFrom('owner' as const, 'thief' as const),
    lost: fc.boolean(),
  }),
  fc.constant({ does: 'steal' as const }),
  fc.constant({ does: 'both' as const }),
  fc.record({ does: fc.constant('wait' as const), seconds: fc.constantFrom(1, 9, 11, 900, 86_400) }),
);

const START = Date.parse('2031-06-01T10:00:00Z');
const GRACE = 10_000;

class Run {
  time = START;
  /** What each holds last. */
  tokens: { owner: string; thief: string | undefined };
  issued: string[] = [];
  access: string[] = [];
  /** The thief exchanged a token that the owner had. */
  robbed = false;
  readonly workspace: Workspace;
  readonly session: { user_id: string; id: string };

  constructor(workspace: Workspace, given: Awaited<ReturnType<typeof givenSession>>) {
    this.workspace = workspace;
    this.session = given.session;
    this.tokens = { owner: given.tokens.refresh_token, thief: undefined };
    this.issued.push(given.tokens.refresh_token);
    this.access.push(given.tokens.access_token);
  }

  get now() {
    return new Date(this.time);
  }

  async refresh(who: 'owner' | 'thief', lost: boolean): Promise<string> {
    const sent = this.tokens[who];
    if (sent === undefined) return 'nothing stolen';
    try {
      const next = await refreshSession(visit(this.workspace, this.now), sent);
      this.issued.push(next.refresh_token);
      this.access.push(next.access_token);
      if (!lost) this.tokens[who] = next.refresh_token;
      if (who === 'thief') this.robbed = true;
      return 'ok';
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  }

  async take(next: Step): Promise<void> {
    if (next.does === 'wait') this.time += next.seconds * 1_000;
    else if (next.does === 'steal') this.tokens.thief = this.tokens.owner;
    else if (next.does === 'refresh') await this.refresh(next.who, next.lost);
    else await Promise.all([this.refresh('owner', false), this.refresh('thief', false)]);
  }

  /** The tokens that could still be exchanged. */
  async valid(): Promise<string[]> {
    const session = await storedSession(this.workspace, this.session);
    return this.issued.filter(
      (text) => refusalOf(session, readRefreshToken(text) as RefreshToken, this.now) === undefined,
    );
  }

  async served(): Promise<string[]> {
    const found = await Promise.all(
      this.access.map((secret) => authenticate(this.workspace.table, hashSecret(secret), this.now)),
    );
    return this.access.filter((_, i) => found[i] !== undefined);
  }
}

describe('an owner and a thief', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const begin = async () =>
    new Run(workspace, await givenSession(workspace, workspace.grace, new Date(START)));

  longIt('never have two tokens that work', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const run = await begin();
        for (const next of steps) {
          await run.take(next);
          expect((await run.valid()).length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: rounds(10, 100) },
    );
  });

  longIt('both lose the session as soon as the owner comes back after a theft', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const run = await begin();
        for (const next of steps) await run.take(next);
        const [newest] = await run.valid();
        fc.pre(run.robbed && newest !== run.tokens.owner);
        run.time += GRACE + 1;
        expect(['token_theft_detected', 'token_revoked', 'expired_refresh_token']).toContain(
          await run.refresh('owner', false),
        );
        expect([await run.valid(), await run.served()]).toEqual([[], []]);
        expect(await run.refresh('thief', false)).not.toBe('ok');
      }),
      { numRuns: rounds(10, 100) },
    );
  });

  it('both lose it after 90 days, even when nobody comes back', async () => {
    const run = await begin();
    await run.take({ does: 'steal' });
    for (let days = 0; days < 90; days += 29) {
      expect(await run.refresh('thief', false)).toBe('ok');
      run.time += 29 * 86_400_000;
    }
    expect(await run.refresh('thief', false)).toBe('expired_refresh_token');
    expect([await run.valid(), await run.served()]).toEqual([[], []]);
  });
});
