import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiEvent, ApiResult } from '#shared/api/call.ts';
import type { Operation } from '#shared/api/catalogue.ts';
import { type ApiFailure, createClient } from '#shared/api/client.ts';
import { errorCodesOf } from '#shared/api/error-codes.ts';
import { issueSession } from '#shared/domain/identity/sessions/issue.ts';
import { type ErrorCode, errorCatalogue } from '#shared/errors.ts';
import { families, operations } from '../../functions/catalogue.ts';
import { startGateway } from '../../infra/local/gateway.ts';
import { caseOf, readWorld, type World } from '../bench/cases.ts';
import { withAssets } from '../support/assets.ts';
import { allowAllQuestions } from '../support/conversations.ts';
import { STRIDE } from '../support/long.ts';
import { eml, givenMailbox, importMail } from '../support/mail.ts';
import { givenNotifications } from '../support/notifications.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/**
 * Every operation while calls to the table fail: it answers with a documented error, and leaves no promise whose failure
 * nobody handles. The Node runtime of Lambda would end the process at it, whatever was answered (shared/begun.ts).
 */

/** The calls of one request, of which some fail. */
interface Faults {
  name: string;
  fails(call: number): boolean;
  calls: number;
}

type Call = () => Promise<{ status: number }>;

const MINUTE = 60_000;
/** Calls of the authentication, which are the same for all: one operation lets them fail. */
const AUTHENTICATION = 3;

let workspace: Workspace;
let world: World;
let gateway: { url: string; close(): Promise<void> };
let dropAssets: () => Promise<void>;
let armed: Faults | undefined;
/** Of the request, and of what it leaves behind: the preparation of a case and the workers are spared. */
const requests = new AsyncLocalStorage<Faults | undefined>();
const unhandled: string[] = [];
const onUnhandled = (reason: unknown) => {
  unhandled.push(reason instanceof Error ? reason.message : String(reason));
};

const faulty = operations.map((operation) => ({
  ...operation,
  handler: (event: ApiEvent, context: unknown): Promise<ApiResult> =>
    requests.run(armed, () => operation.handler(event, context)),
}));

beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled);
  workspace = await startWorkspace({ mail: true });
  dropAssets = await withAssets(workspace.ctx);
  allowAllQuestions(workspace);
  gateway = await startGateway(faulty, 0);
  const { table, ada } = workspace;
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      const faults = requests.getStore();
      if (faults?.fails(++faults.calls))
        throw new Error(`${faults.name}: call ${faults.calls}, ${context.commandName}`);
      return next(args);
    },
    { step: 'initialize', name: 'faults' },
  );
  const mailbox = await givenMailbox(workspace, ada);
  await importMail(workspace, ada, mailbox, [eml({ id: 'one@x', subject: 'One' })]);
  await ada.api.createContact({ body: { contact: { name: 'Somebody' } } });
  await givenNotifications(workspace, ada, ['comment_added'], new Date());
  const { write_key, session_token } = ada;
  world = await readWorld({ table, base_url: gateway.url, write_key, session_token });
});
afterAll(async () => {
  process.off('unhandledRejection', onUnhandled);
  await gateway?.close();
  await dropAssets?.();
  await workspace?.stop();
});

/** A minute after the case before, whose requests do not count any more towards the limits. */
async function later(minutes: number): Promise<World> {
  workspace.setTime(new Date(Date.now() + minutes * MINUTE));
  const { secret } = await issueSession(workspace.table, workspace.ada.user, null, workspace.ctx.now);
  return { ...world, session: createClient(families, { base_url: gateway.url, key: secret }) };
}

/** The status of a response that is not an error, else its code. */
async function answerOf(call: Call, faults: Faults): Promise<string> {
  armed = faults;
  try {
    const answer = await call();
    if (answer instanceof Response && !answer.ok)
      return ((await answer.json()) as { error: ApiFailure }).error.code;
    return String(answer.status);
  } catch (error) {
    return (error as ApiFailure).code;
  } finally {
    armed = undefined;
  }
}

/** The answers to the call, with one fault after the other, until none is met: what writes is prepared anew each time. */
async function answersOf({ name, definition }: Operation, i: number, way: Way): Promise<string[]> {
  const { access, method } = definition;
  // Signatures of others are of the real time.
  const at = await later(access === 'public' ? 0 : i + 1);
  const first = access === 'public' || name === 'retrieveCurrentUser' ? 1 : 1 + AUTHENTICATION;
  const answers: string[] = [];
  let call: Call | undefined;
  const step = method === 'GET' ? STRIDE : 3 * STRIDE;
  for (let nth = first + (i % step), reached = true; reached; nth += step) {
    const run = `${ways.indexOf(way)}-${nth}-${name.toLowerCase()}`;
    call = method === 'GET' && call ? call : await caseOf(name)(at, run);
    const faults: Faults = { name, fails: (each) => way.fails(each, nth), calls: 0 };
    answers.push(await answerOf(call, faults));
    reached = faults.calls >= nth;
  }
  return answers;
}

interface Way {
  title: string;
  fails(call: number, nth: number): boolean;
  operations: Operation[];
}

const ways: Way[] = [
  { title: 'from one on', fails: (call, nth) => call >= nth, operations },
  // What reads goes on, and takes longer than what failed.
  {
    title: 'one of them',
    fails: (call, nth) => call === nth,
    operations: operations.filter(({ definition }) => definition.method === 'GET'),
  },
];

/** It remembers for a while that the table failed. */
const REMEMBERS = 'retrieveHealth';

describe.each(ways)('calls to the table fail, $title', (way) => {
  it.each(way.operations.map((operation, i) => ({ operation, name: operation.name, i })))(
    '$name',
    async ({ operation, name, i }) => {
      const answers = await answersOf(operation, i, way);
      const documented = errorCodesOf(operation.definition).filter(
        (code: ErrorCode) => errorCatalogue[code].status >= 500,
      );
      const others = answers.filter((answer) => !/^[23]/.test(answer));
      expect(others.filter((answer) => !documented.includes(answer as ErrorCode))).toEqual([]);
      if (name !== REMEMBERS) expect(answers.at(-1)).toMatch(/^[23]/);
      await setImmediate();
      expect(unhandled.splice(0)).toEqual([]);
    },
  );
});
