/** Names and values of an expression, each declared once. Placeholders avoid DynamoDB's reserved words. */
export class Terms {
  readonly #placeholders = new Map<string, string>();
  readonly #names: Record<string, string> = {};
  readonly #values: Record<string, unknown> = {};
  #valueCount = 0;

  /** The path of an attribute, or of a value nested in it. */
  path(parent: string | undefined, name: string): string {
    let placeholder = this.#placeholders.get(name);
    if (placeholder === undefined) {
      placeholder = `#${this.#placeholders.size}`;
      this.#placeholders.set(name, placeholder);
      this.#names[placeholder] = name;
    }
    return parent === undefined ? placeholder : `${parent}.${placeholder}`;
  }

  value(value: unknown): string {
    const placeholder = `:${this.#valueCount++}`;
    this.#values[placeholder] = value;
    return placeholder;
  }

  /** As requests carry them; DynamoDB refuses empty ones. */
  get attributes() {
    return {
      ExpressionAttributeNames: this.#placeholders.size > 0 ? this.#names : undefined,
      ExpressionAttributeValues: this.#valueCount > 0 ? this.#values : undefined,
    };
  }
}
