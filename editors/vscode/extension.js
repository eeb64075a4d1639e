// Starts `clew lsp` and hands it the settings. Everything else is done by the server.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const SETTINGS = ["defines", "include", "distinctPid", "narrowing", "maxTime"];
let client;

function start() {
  const settings = vscode.workspace.getConfiguration("clew");
  const languages = ["promela", "relational"].concat(settings.get("python") ? ["python"] : []);
  const command = settings.get("command");
  client = new LanguageClient(
    "clew",
    "Clew",
    { command, args: ["lsp"], transport: TransportKind.stdio },
    {
      documentSelector: languages.map((language) => ({ language })),
      initializationOptions: Object.fromEntries(SETTINGS.map((name) => [name, settings.get(name)])),
    }
  );
  return client.start().catch((error) => {
    vscode.window.showErrorMessage(
      `Clew does not start: ${error.message}. It needs Clew with the extra "editor" (clew doctor says how to install it); clew.command says where it is.`
    );
  });
}

async function activate(context) {
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("clew")) {
        await deactivate();
        await start();
      }
    })
  );
  await start();
}

async function deactivate() {
  const running = client;
  client = undefined;
  if (running && running.isRunning()) {
    await running.stop();
  }
}

module.exports = { activate, deactivate };
