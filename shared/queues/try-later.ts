/** Thrown where work cannot be done now: its message is delivered again, not before `seconds` have passed. */
export class TryLater extends Error {
  readonly seconds: number;

  constructor(message: string, seconds = 0, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TryLater';
    this.seconds = seconds;
  }
}
