import { ask, askUnlessSandboxed, deny, type Judgement } from "../decision.ts";
import type { Entry, Programs } from "./entry.ts";

const runsOther = (what: string): Judgement => deny("go.runs", `\`${what}\` makes go run another program.`);
const fetches = askUnlessSandboxed("go.install", "It fetches modules.");
const flags = ask("go.flags", "Flags of the compiler and linker can name other programs.");

const refused = {
  "-exec": runsOther("-exec"),
  "-toolexec": runsOther("-toolexec"),
  "-vettool": runsOther("-vettool"),
  "-ldflags": flags,
  "-gcflags": flags,
  "-asmflags": flags,
  "-overlay": ask("go.overlay", "It replaces files of the build."),
  "-modfile": ask("go.modfile", "It takes another go.mod."),
  "--exec": runsOther("-exec"),
  "--toolexec": runsOther("-toolexec"),
};
const BUILD = "-v -x -n -a -race -msan -cover -tags= -p= -mod= -trimpath -buildvcs= -work -json -C/ -o>";

const builds = (name: string, options = ""): Entry => ({
  rule: `go.${name}`,
  does: "test",
  why: "It builds, tests or checks the project.",
  longDash: true,
  options: `${BUILD} ${options}`,
  refused,
  operands: ["passed"],
});
const shows = (name: string, options: string): Entry => ({
  rule: `go.${name}`,
  does: "read",
  why: "It only shows what the project is made of.",
  longDash: true,
  options,
  operands: ["passed"],
});

export const GO: Programs = {
  go: {
    stack: "go",
    longDash: true,
    commands: {
      test: builds(
        "test",
        "-run= -skip= -bench= -benchmem -benchtime= -count= -short -timeout= -failfast -parallel= -cpu= -list= -vet= -shuffle= -fullpath -coverprofile> -covermode= -coverpkg= -cpuprofile> -memprofile> -fuzz= -fuzztime= -c",
      ),
      build: builds("build"),
      vet: builds("vet"),
      fmt: builds("fmt"),
      list: shows("list", "-m -f= -json -deps -test -e -u"),
      version: shows("version", "-m"),
      doc: shows("doc", "-all -src -u -short -c"),
      env: {
        ...shows("env", "-json"),
        refused: {
          "-w": deny("go.config", "It changes settings of go."),
          "-u": deny("go.config", "It changes settings of go."),
        },
      },
      mod: {
        commands: { graph: shows("mod", ""), why: shows("mod", "-m"), verify: shows("mod", "") },
        other: fetches,
      },
      run: askUnlessSandboxed("go.run", "It runs the program that the agent works on."),
      generate: askUnlessSandboxed("go.generate", "It runs commands that stand in the source."),
      get: fetches,
      install: fetches,
      work: fetches,
      tool: ask("go.tool", "It runs a tool of go."),
      clean: ask("go.clean", "It removes what other projects share."),
    },
    other: ask("go.other", "It is a command of go that banksman does not know to be routine."),
  },
  gofmt: {
    rule: "go.fmt",
    does: "test",
    why: "It formats the project.",
    options: "-l -w -d -s -e",
    operands: ["write"],
    stack: "go",
  },
  goimports: {
    rule: "go.fmt",
    does: "test",
    why: "It formats the project.",
    options: "-l -w -d -e",
    operands: ["write"],
    stack: "go",
  },
  staticcheck: {
    rule: "go.staticcheck",
    does: "test",
    why: "It checks the project.",
    operands: ["passed"],
    stack: "go",
  },
  "golangci-lint": {
    stack: "go",
    commands: {
      run: {
        rule: "go.lint",
        does: "test",
        why: "It checks the project.",
        options: "--fix --timeout= -v --fast --new-from-rev= -E= -D=",
        operands: ["passed"],
      },
    },
    other: ask("go.lint.other", "It is another command of golangci-lint."),
  },
};
