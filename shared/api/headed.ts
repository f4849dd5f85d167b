/** What a handler returns when its response has headers of its own. */
export class Headed<Body> {
  readonly body: Body;
  readonly headers: Record<string, string>;

  constructor(body: Body, headers: Record<string, string>) {
    this.body = body;
    this.headers = headers;
  }
}
