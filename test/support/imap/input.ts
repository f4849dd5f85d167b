/** What a client wrote, read by lines and by literals. */
export class Input {
  #chunks: Buffer[] = [];
  #ended = false;
  #wake: () => void = () => {};

  feed(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async #take(length: (buffered: Buffer) => number): Promise<Buffer | undefined> {
    for (;;) {
      const buffered = Buffer.concat(this.#chunks);
      this.#chunks = [buffered];
      const wanted = length(buffered);
      if (wanted >= 0 && buffered.length >= wanted) {
        this.#chunks = [buffered.subarray(wanted)];
        return buffered.subarray(0, wanted);
      }
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Undefined when the client is gone. */
  async line(): Promise<string | undefined> {
    const taken = await this.#take((buffered) => buffered.indexOf('\n') + 1 || -1);
    return taken?.toString('latin1').replace(/\r?\n$/, '');
  }

  bytes(length: number): Promise<Buffer | undefined> {
    return this.#take(() => length);
  }
}
