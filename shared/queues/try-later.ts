/** Thrown when work cannot be done now: the message is delivered again after at least `seconds`. */
export class TryLater extends Error {
  readonly seconds: number;

  constructor(message: string, seconds = 0, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TryLater';
    this.seconds = seconds;
  }
}
