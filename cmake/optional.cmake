# Libraries that a build can do without: each has an option TWINSET_X, of AUTO (where it is found), ON or OFF, and
# sets TWINSET_HAS_X and, if that is on, PkgConfig::LIBRARY.
macro(twinset_optional option library module package what without)
  set(TWINSET_${option} AUTO CACHE STRING "${what}: AUTO, ON or OFF; needs ${module}")
  set_property(CACHE TWINSET_${option} PROPERTY STRINGS AUTO ON OFF)
  set(TWINSET_HAS_${option} OFF)
  if(NOT TWINSET_${option} STREQUAL "OFF")
    pkg_check_modules(${library} IMPORTED_TARGET ${module})
    if(${library}_FOUND)
      set(TWINSET_HAS_${option} ON)
    elseif(TWINSET_${option} STREQUAL "ON")
      message(FATAL_ERROR "There is no ${module}. On Debian install ${package}, or build ${without}: -DTWINSET_${option}=OFF")
    else()
      message(STATUS "Building ${without}: there is no ${module} (${package})")
    endif()
  endif()
endmacro()

twinset_optional(MAIL GMIME gmime-3.0 libgmime-3.0-dev "Read mail" "without mail")
# By it phish tells whose a host is.
twinset_optional(PUBLIC_SUFFIXES PUBLIC_SUFFIXES libpsl libpsl-dev "Know public suffixes" "without phish")
