import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Table } from '#shared/table/table.ts';

/** Makes one call to the table fail: before it is sent, or after it is executed, as when the response is lost. */

class InjectedFault extends Error {
  constructor(command: string) {
    super(`Injected fault at ${command}`);
    this.name = 'InjectedFault';
  }
}

export interface Fault {
  /** True once the call was reached. */
  readonly hit: boolean;
  remove(): void;
}

/** `call` counts from 1 over all commands of the table's client. */
export function failCall(table: Table, call: number, when: 'before' | 'after'): Fault {
  const name = `fault-${call}-${when}`;
  let calls = 0;
  let hit = false;
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      calls++;
      if (calls !== call) return next(args);
      hit = true;
      if (when === 'after') await next(args);
      throw new InjectedFault(String(context.commandName));
    },
    { step: 'initialize', name },
  );
  return {
    get hit() {
      return hit;
    },
    remove: () => {
      table.client.middlewareStack.remove(name);
    },
  };
}

/** Each failure of each call in turn, from 0: before the first call is sent, after it is executed, before the second ... */
export const failNth = (table: Table, nth: number): Fault =>
  failCall(table, 1 + Math.floor(nth / 2), nth % 2 === 0 ? 'before' : 'after');

/** `perform` decides what becomes of each call, by its number from 1. It is hit at `call`. */
function counting(
  table: Table,
  { name, call }: { name: string; call: number },
  perform: <Output>(nth: number, send: () => Promise<Output>, command: string) => Promise<Output>,
): Fault {
  let calls = 0;
  table.client.middlewareStack.add(
    (next, context) => (args) => perform(++calls, () => next(args), String(context.commandName)),
    { step: 'initialize', name },
  );
  return {
    get hit() {
      return calls >= call;
    },
    remove: () => {
      table.client.middlewareStack.remove(name);
    },
  };
}

/** Simulates a crash: `call` is executed and its response lost, and nothing is sent any more. */
export const crashAfter = (table: Table, call: number): Fault =>
  counting(table, { name: `crash-${call}`, call }, async (nth, send, command) => {
    if (nth < call) return send();
    if (nth === call) await send();
    throw new InjectedFault(command);
  });

export interface Death {
  /** The next process begins. */
  revive(): void;
  remove(): void;
}

/** Simulates a process that ends each time: calls with one of the texts fail, and all calls after them. */
export function dieAt(table: Table, ...texts: string[]): Death {
  const name = `death-${texts.join('-')}`;
  let dead = false;
  table.client.middlewareStack.add(
    (next, context) => (args) => {
      const sent = JSON.stringify(args.input);
      dead ||= texts.some((text) => sent.includes(text));
      if (dead) throw new InjectedFault(String(context.commandName));
      return next(args);
    },
    { step: 'initialize', name },
  );
  return {
    revive: () => {
      dead = false;
    },
    remove: () => {
      table.client.middlewareStack.remove(name);
    },
  };
}

/** Milliseconds without a call after which nothing is under way. */
const QUIET = 50;

/**
 * Knows when no call is under way any more. Work that fails may leave calls behind that it began beside the failed one: the
 * next fault would hit them, and not what runs then.
 */
export function watchCalls(table: Table): { quiet(): Promise<void>; remove(): void } {
  const name = 'watched-calls';
  let open = 0;
  table.client.middlewareStack.add(
    (next) => async (args) => {
      open++;
      try {
        return await next(args);
      } finally {
        open--;
      }
    },
    { step: 'initialize', priority: 'high', name },
  );
  return {
    async quiet() {
      do await setTimeout(QUIET);
      while (open > 0);
    },
    remove: () => {
      table.client.middlewareStack.remove(name);
    },
  };
}

/** Loses the response of the next such command: the SDK sends the same command again. */
export function loseResponse(table: Table, command: string): Fault {
  const name = `lost-${command}`;
  let hit = false;
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      const response = await next(args);
      if (hit || context.commandName !== command) return response;
      hit = true;
      throw Object.assign(new Error('The response is lost'), { name: 'TimeoutError' });
    },
    // Below the SDK's own retries, which are at `finalizeRequest`.
    { step: 'deserialize', priority: 'high', name },
  );
  return {
    get hit() {
      return hit;
    },
    remove: () => {
      table.client.middlewareStack.remove(name);
    },
  };
}

/** Runs `work` right before the next such command is sent, like another request between a read and a write. */
export function meanwhile(
  table: Table,
  command: string,
  work: () => Promise<unknown>,
  /** The first, the second, ... of the commands. */
  which = 1,
): Fault {
  const name = `meanwhile-${command}-${which}`;
  let hit = false;
  let seen = 0;
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      if (!hit && context.commandName === command && ++seen === which) {
        hit = true;
        await work();
      }
      return next(args);
    },
    { step: 'initialize', name },
  );
  return {
    get hit() {
      return hit;
    },
    remove: () => {
      table.client.middlewareStack.remove(name);
    },
  };
}

/** The same before a call of any kind: `call` counts from 1, and calls of `work` do not count. */
export const meanwhileAt = (table: Table, call: number, work: () => Promise<unknown>): Fault =>
  counting(table, { name: `meanwhile-${call}`, call }, async (nth, send) => {
    if (nth === call) await work();
    return send();
  });

/** The error that DynamoDB returns instead of executing a call. */
export interface Refusal {
  /** The name of the error, for example `ThrottlingException`. */
  type: string;
  message?: string;
  /** Of a `TransactionCanceledException`: one for each write. */
  reasons?: { Code: string; Message?: string }[];
  /** Executes the call nevertheless, as when a try whose response was lost is repeated. */
  done?: boolean;
}

function refusalOf({ type, message = type, reasons }: Refusal) {
  const body = JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${type}`,
    Message: message,
    ...(reasons ? { CancellationReasons: reasons } : {}),
  });
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  return { response: { statusCode: 400, headers, body: Readable.from([Buffer.from(body)]) } };
}

/** Makes DynamoDB refuse the next such commands, one for each refusal, or all alike. The SDK parses the errors. */
export function refuse(
  table: Table,
  command: string,
  refusals: Refusal[] | Refusal,
): { readonly sent: number; remove(): void } {
  const name = `refusal-${command}`;
  let sent = 0;
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== command) return next(args);
      sent++;
      const refusal = Array.isArray(refusals) ? refusals[sent - 1] : refusals;
      if (!refusal) return next(args);
      if (refusal.done) await next(args);
      return refusalOf(refusal) as never;
    },
    // In place of the network, so that the SDK parses the response and applies its own retries.
    { step: 'deserialize', priority: 'low', name },
  );
  return {
    get sent() {
      return sent;
    },
    remove: () => {
      table.client.middlewareStack.remove(name);
    },
  };
}
