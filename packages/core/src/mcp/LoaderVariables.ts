/**
 * Variables that a loader, a runtime or a shell reads before it runs a program: their values make it load or run
 * other code, or give the program what its sandbox denies.
 */
const loaderVariables = new RegExp(
  `^(?:${[
    // The dynamic loader and the C library.
    "LD_\\w+|DYLD_\\w+|LIBPATH|SHLIB_PATH|GCONV_PATH|GETCONF_DIR|GLIBC_TUNABLES|LOCPATH|MALLOC_TRACE",
    "OPENSSL_(?:CONF|ENGINES|MODULES)",
    "NODE_(?:OPTIONS|PATH|REPL_\\w+|V8_COVERAGE|REDIRECT_WARNINGS|COMPILE_CACHE|ICU_DATA|CHANNEL_\\w+)",
    "BUN_(?:OPTIONS|INSPECT\\w*)",
    // Python's, except variables that only change its output and its caches.
    "PYTHON(?!(?:UNBUFFERED|IOENCODING|UTF8|DONTWRITEBYTECODE|FAULTHANDLER|HASHSEED)$)\\w*",
    "BASH_ENV|BASH_FUNC_\\w+|ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|ZDOTDIR",
    "PERL5(?:OPT|LIB|DB)|PERLLIB|RUBY(?:OPT|LIB)|GEM_(?:HOME|PATH)|LUA_(?:INIT|PATH|CPATH)\\w*",
    "JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|PHPRC|PHP_INI_SCAN_DIR",
    "DOTNET_(?:STARTUP_HOOKS|ADDITIONAL_DEPS|SHARED_STORE)|(?:CORECLR|COR)_\\w+",
  ].join("|")})$`,
);

/** Whether such a variable has this name. */
export const isLoaderVariable = (name: string): boolean => loaderVariables.test(name);
