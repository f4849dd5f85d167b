import type { Table } from '../../shared/table/table.ts';

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
