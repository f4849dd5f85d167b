import type { SocketMessage } from '#shared/domain/identity/sockets/message.ts';
import type { About, ChangedType } from './news.ts';

/** What users are told of one batch of changes: one message for a thing and a type, however often it changed. */
export class Messages {
  readonly #changed = new Map<
    string,
    Map<string, { type: ChangedType; about: About; changed: Set<string> }>
  >();
  readonly #others = new Map<string, SocketMessage[]>();

  /** Nothing without a field: what clients read is the same. */
  change(user_id: string, type: ChangedType, about: About, changed: readonly string[]): void {
    if (changed.length === 0) return;
    const own = this.#changed.get(user_id) ?? new Map();
    this.#changed.set(user_id, own);
    const name = `${type} ${about.id}`;
    const known = own.get(name) ?? { type, about, changed: new Set() };
    own.set(name, known);
    for (const field of changed) known.changed.add(field);
  }

  add(user_id: string, messages: readonly SocketMessage[]): void {
    this.#others.set(user_id, [...(this.#others.get(user_id) ?? []), ...messages]);
  }

  of(user_id: string): SocketMessage[] {
    const changed = [...(this.#changed.get(user_id)?.values() ?? [])].map(({ type, about, changed }) => ({
      type,
      data: { ...about, changed: [...changed].sort() },
    }));
    return [...changed, ...(this.#others.get(user_id) ?? [])];
  }
}
