import { Readable } from 'node:stream';
import type { Table } from '#shared/table/table.ts';

/** Makes one call to the table fail: before it is sent, or after it was done, as when the answer is lost. */

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

/** As when the process dies: `call` is done and its answer lost, and nothing is sent any more. */
export function crashAfter(table: Table, call: number): Fault {
  const name = `crash-${call}`;
  let calls = 0;
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      calls++;
      if (calls < call) return next(args);
      if (calls === call) await next(args);
      throw new InjectedFault(String(context.commandName));
    },
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

/** The answer of the next such command is lost on the way: the SDK sends it once more, as it is. */
export function loseResponse(table: Table, command: string): Fault {
  const name = `lost-${command}`;
  let hit = false;
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      const response = await next(args);
      if (hit || context.commandName !== command) return response;
      hit = true;
      throw Object.assign(new Error('The answer is lost'), { name: 'TimeoutError' });
    },
    // Behind the SDK's own retries, which are at `finalizeRequest`.
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

/** Does `work` right before the next such command is sent: what another request does between a read and a write. */
export function meanwhile(
  table: Table,
  command: string,
  work: () => Promise<unknown>,
  /** The first, the second, ... of the commands. */
  which = 1,
): Fault {
  const name = `meanwhile-${command}`;
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

/** What DynamoDB answers instead of doing a call. */
export interface Refusal {
  /** The name of the error, for example `ThrottlingException`. */
  type: string;
  message?: string;
  /** Of a `TransactionCanceledException`: one for each write. */
  reasons?: { Code: string; Message?: string }[];
  /** The call is done all the same, as when a try whose answer was lost is tried again. */
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

/** DynamoDB refuses the next such commands, one for each refusal, or all of them alike. Reads as the SDK reads it. */
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
    // Where the answer comes from the network: the SDK reads it, and tries again what it tries again.
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
