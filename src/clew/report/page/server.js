// Asking the server of this page. Addresses are relative: the token is in the address of the page.

export class Refused extends Error {
  constructor(status, message, diagnostics) {
    super(message);
    this.status = status;
    this.diagnostics = diagnostics || [];
  }
}

async function answered(path, options) {
  let answer;
  try {
    answer = await fetch(`./api/${path}`, options);
  } catch {
    throw new Refused(0, "the server does not answer any more");
  }
  if (answer.ok) return answer;
  const found = await answer.json().catch(() => ({ error: `status ${answer.status}` }));
  throw new Refused(answer.status, found.error, found.diagnostics);
}

export async function ask(path) {
  return (await answered(path)).json();
}

export async function askText(path) {
  return (await answered(path)).text();
}

export async function tell(path, data = {}) {
  const options = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) };
  return (await answered(path, options)).json();
}

// The part behind # as words; only those given are changed, null takes one away.
export function address() {
  return new URLSearchParams(location.hash.slice(1));
}

export function setAddress(changes, { push = false } = {}) {
  const words = address();
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined) words.delete(name);
    else words.set(name, value);
  }
  const wanted = `#${words}`;
  if (wanted === location.hash) return;
  if (push) history.pushState(null, "", wanted);
  else history.replaceState(null, "", wanted);
}
