/** The names and values of one expression, each said once: no attribute name meets a word that DynamoDB reserves. */
export class Terms {
  readonly #names = new Map<string, string>();
  readonly #values: unknown[] = [];

  /** The path of an attribute, or of what is nested in it. */
  path(parent: string | undefined, name: string): string {
    const placeholder = this.#names.get(name) ?? `#${this.#names.size}`;
    this.#names.set(name, placeholder);
    return parent === undefined ? placeholder : `${parent}.${placeholder}`;
  }

  value(value: unknown): string {
    return `:${this.#values.push(value) - 1}`;
  }

  /** As requests carry them; DynamoDB takes no empty ones. */
  get attributes() {
    const names = [...this.#names].map(([name, placeholder]) => [placeholder, name]);
    const values = this.#values.map((value, i) => [`:${i}`, value]);
    return {
      ExpressionAttributeNames:
        names.length > 0 ? (Object.fromEntries(names) as Record<string, string>) : undefined,
      ExpressionAttributeValues:
        values.length > 0 ? (Object.fromEntries(values) as Record<string, unknown>) : undefined,
    };
  }
}
